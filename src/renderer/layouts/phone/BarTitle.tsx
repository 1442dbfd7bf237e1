import { BookMarked, FileText, Gauge, LibraryBig, type LucideIcon, Search, Settings, Star, Trash2 } from 'lucide-react';
import brand from '../../../../resources/brand.json';
import { nameKey } from '../../../shared/rules/names.ts';
import { useShelf, useVersion } from '../../api/queries.ts';
import type { RouteMatch } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Logo } from '../../ui/Logo.tsx';

function Title({
  icon: Icon,
  text,
  badge,
}: {
  readonly icon: LucideIcon;
  readonly text: string;
  readonly badge?: string;
}) {
  return (
    <span className="phone-bar__title">
      <Icon aria-hidden="true" />
      <span className="truncated">{text}</span>
      {badge !== undefined && <span className="badge badge--accent">{badge}</span>}
    </span>
  );
}

function LibraryTitle({ library }: { readonly library: string }) {
  const { t } = useTranslation();
  const username = useSession(({ user }) => user?.username ?? '');
  // Under the own name stands the list of libraries.
  const isList = nameKey(library) === nameKey(username);
  return <Title icon={LibraryBig} text={isList ? t('phone.library') : library} />;
}

function ShelfTitle({ library, shelfId }: { readonly library: string; readonly shelfId: string }) {
  const { t } = useTranslation();
  const { data } = useShelf(library, shelfId);
  return <Title icon={BookMarked} text={data?.shelf.name ?? t('phone.shelf')} />;
}

function VersionTitle({ versionId }: { readonly versionId: string }) {
  const { t } = useTranslation();
  const { data } = useVersion(versionId);
  const badge = data === undefined ? {} : { badge: t('common.version', { number: data.number }) };
  return <Title icon={FileText} text={t('phone.document')} {...badge} />;
}

/** What the top bar calls a screen (web-and-phone.md §2, "Phone layout"); the product's own name where it has none. */
export function BarTitle({ route }: { readonly route: RouteMatch }) {
  const { t } = useTranslation();
  switch (route.name) {
    case 'library':
    case 'library-settings':
      return <LibraryTitle library={route.library} />;
    case 'shelf':
    case 'upload':
    case 'shelf-settings':
    case 'commits':
    case 'share':
    case 'share-statistics':
      return <ShelfTitle library={route.library} shelfId={route.shelfId} />;
    case 'version':
      return <VersionTitle versionId={route.versionId} />;
    case 'search':
      return <Title icon={Search} text={t('nav.search')} />;
    case 'favorites':
      return <Title icon={Star} text={t('nav.favorites')} />;
    case 'settings':
    case 'plans':
    case 'billing':
      return <Title icon={Settings} text={t('nav.settings')} />;
    case 'trash':
      return <Title icon={Trash2} text={t('nav.trash')} />;
    case 'dashboard':
      return <Title icon={Gauge} text={t('nav.dashboard')} />;
    default:
      return (
        <span className="phone-bar__title">
          <Logo />
          <span className="serif">{brand.name}</span>
        </span>
      );
  }
}
