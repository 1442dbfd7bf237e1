import {
  AppWindow,
  ChartNoAxesColumn,
  Compass,
  Files,
  Gauge,
  HardDrive,
  LibraryBig,
  Megaphone,
  SlidersHorizontal,
  Users,
} from 'lucide-react';
import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { DASHBOARD_CHILDREN, type DashboardChild, paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { EmptyState, LoadingRows } from '../../ui/States.tsx';
import { useTitle } from '../../ui/useTitle.ts';
import './admin.css';

const ICONS: Readonly<Record<DashboardChild, ComponentType>> = {
  overview: Gauge,
  notices: Megaphone,
  'app-versions': AppWindow,
  users: Users,
  shelves: LibraryBig,
  settings: SlidersHorizontal,
  documents: Files,
  analytics: ChartNoAxesColumn,
  storage: HardDrive,
};

/** Each page's code loads when it is first opened. */
const SCREENS: Readonly<Record<DashboardChild, ComponentType>> = {
  overview: lazy(async () => ({ default: (await import('./OverviewPage.tsx')).OverviewPage })),
  notices: lazy(async () => ({ default: (await import('./NoticesPage.tsx')).NoticesPage })),
  'app-versions': lazy(async () => ({ default: (await import('./AppVersionsPage.tsx')).AppVersionsPage })),
  users: lazy(async () => ({ default: (await import('./UsersPage.tsx')).UsersPage })),
  shelves: lazy(async () => ({ default: (await import('./ShelvesPage.tsx')).ShelvesPage })),
  settings: lazy(async () => ({ default: (await import('./SettingsPage.tsx')).SettingsPage })),
  documents: lazy(async () => ({ default: (await import('./DocumentsPage.tsx')).DocumentsPage })),
  analytics: lazy(async () => ({ default: (await import('./AnalyticsPage.tsx')).AnalyticsPage })),
  storage: lazy(async () => ({ default: (await import('./StoragePage.tsx')).StoragePage })),
};

function Navigation({ open }: { readonly open: DashboardChild | undefined }) {
  const { t } = useTranslation();
  const nav = useRef<HTMLElement>(null);
  // In a narrow window the pages stand in a row that is wider than it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is open
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]');
    nav.current?.scrollTo({ left: (current?.offsetLeft ?? 0) - nav.current.clientWidth / 3 });
  }, [open]);
  return (
    <nav ref={nav} className="admin__nav" aria-label={t('nav.dashboard')}>
      {DASHBOARD_CHILDREN.map((child) => {
        const Icon = ICONS[child];
        return (
          <Link
            key={child}
            href={paths.dashboard(child)}
            className="admin__link"
            aria-current={child === open ? 'page' : undefined}
          >
            <Icon />
            {t(`admin.children.${child}`)}
          </Link>
        );
      })}
    </nav>
  );
}

/** The administrator's part: nine pages, each under an address of its own (web-and-phone.md §2). */
export function Dashboard({ child }: { readonly child: string }) {
  const { t } = useTranslation();
  const open = DASHBOARD_CHILDREN.find((each) => each === child);
  const title = open === undefined ? t('notFound.title') : t(`admin.children.${open}`);
  useTitle(`${title} · ${t('nav.dashboard')}`);
  const Screen = open === undefined ? null : SCREENS[open];
  return (
    <div className="page admin">
      <Navigation open={open} />
      <div className="admin__main">
        {Screen === null ? (
          <EmptyState icon={Compass} title={title} text={t('notFound.text')} level={1}>
            <Link href={paths.dashboard('overview')} className="button">
              {t('admin.toOverview')}
            </Link>
          </EmptyState>
        ) : (
          <Suspense
            fallback={
              <div className="card">
                <LoadingRows />
              </div>
            }
          >
            <Screen />
          </Suspense>
        )}
      </div>
    </div>
  );
}
