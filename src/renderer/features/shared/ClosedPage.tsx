import { Clock, Eye, FileX, Link2Off, SearchX } from 'lucide-react';
import type { ComponentType } from 'react';
import { Link } from 'wouter';
import { ShareEnd } from '../../../shared/model/shareLink.ts';
import { useSearch } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { EmptyState } from '../../ui/States.tsx';
import { useTitle } from '../../ui/useTitle.ts';

const ICONS: Readonly<Record<ShareEnd, ComponentType>> = {
  expired: Clock,
  'used-up': Eye,
  revoked: Link2Off,
  'document-deleted': FileX,
};

/** A link that opens for nobody, as the address says why; or that there is not. */
export function ClosedPage({ reason }: { readonly reason: 'expired' | 'not-found' }) {
  const { t } = useTranslation();
  const end = ShareEnd.safeParse(new URLSearchParams(useSearch()).get('reason')).data;
  const [icon, title, text] =
    reason === 'not-found'
      ? [SearchX, t('sharing.missingTitle'), t('sharing.missingText')]
      : end === undefined
        ? [Clock, t('sharing.expiredTitle'), t('sharing.expiredText')]
        : [ICONS[end], t(`pages.ended.${end}`), t(`pages.endedText.${end}`)];
  useTitle(title);
  return (
    <EmptyState icon={icon} title={title} text={text} level={1}>
      <Link href={paths.home} className="button">
        {t('notFound.home')}
      </Link>
    </EmptyState>
  );
}
