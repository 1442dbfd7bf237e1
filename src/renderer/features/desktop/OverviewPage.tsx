import { BookMarked, LibraryBig } from 'lucide-react';
import { Link } from 'wouter';
import type { Checkout } from '../../../shared/model/workspace.ts';
import { useLibraries } from '../../api/queries.ts';
import { navigate, useSearch } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useTitle } from '../../ui/useTitle.ts';
import { When } from '../../ui/When.tsx';
import { ChangesDialog } from './checkouts/ChangesDialog.tsx';
import { ShelfHere } from './checkouts/CheckoutButton.tsx';
import { KeptElsewhere } from './checkouts/KeptElsewhere.tsx';
import { unlistedCheckouts } from './checkouts/summary.ts';
import { useCheckouts } from './checkouts/useCheckouts.ts';
import { useWorkspace, WorkspaceFolder } from './Folders.tsx';
import { IndexState } from './IndexCard.tsx';
import { RecentChanges } from './RecentChanges.tsx';
import './desktop.css';

function Libraries({ checkouts }: { readonly checkouts: readonly Checkout[] | null }) {
  const { t } = useTranslation();
  const { data: libraries, error, isPending, isLoadingError, refetch } = useLibraries();
  const username = useSession(({ user }) => user?.username ?? '');
  const workspace = useWorkspace();
  if (isPending) return <LoadingRows rows={4} />;
  if (isLoadingError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (libraries.length === 0) {
    return (
      <EmptyState icon={LibraryBig} title={t('library.listEmptyTitle')} text={t('library.listEmptyText')}>
        <Link href={paths.user(username)} className="button button--primary">
          {t('library.createLibrary')}
        </Link>
      </EmptyState>
    );
  }
  return (
    <ul className="overview__libraries">
      {libraries.map((library) => (
        <li key={library.id}>
          <Link href={paths.library(library.name)} className="overview__library">
            <LibraryBig aria-hidden="true" />
            <strong className="truncated">{library.name}</strong>
            <span className="muted">{t('common.shelves', { count: library.shelves.length })}</span>
          </Link>
          <ul>
            {library.shelves.map((shelf) => (
              <li key={shelf.id} className="overview__row">
                <Link href={paths.shelf(library.name, shelf.id)} className="overview__shelf">
                  <BookMarked aria-hidden="true" />
                  <span className="truncated">{shelf.name}</span>
                  <span className="muted nowrap overview__count">
                    {t('common.documents', { count: shelf.document_count })}
                  </span>
                  <span className="muted overview__when">
                    <When moment={shelf.updated_at} />
                  </span>
                </Link>
                {workspace !== null && checkouts !== null && (
                  <ShelfHere shelf={shelf} checkouts={checkouts} workspace={workspace} />
                )}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** Kept shelves in no library that is known; all of them while the libraries are out of reach. */
function Unlisted({ checkouts }: { readonly checkouts: readonly Checkout[] }) {
  const { data: libraries = [], isPending } = useLibraries();
  return isPending ? null : <KeptElsewhere checkouts={unlistedCheckouts(checkouts, libraries)} />;
}

/** The changes of the kept shelf whose folder the address names. */
function ChangesOverlay({ checkouts }: { readonly checkouts: readonly Checkout[] | null }) {
  const workspace = useWorkspace();
  const wanted = new URLSearchParams(useSearch()).get('changes');
  const checkout = checkouts?.find(({ folder }) => folder === wanted);
  if (workspace === null || checkout === undefined) return null;
  return (
    <ChangesDialog
      key={checkout.folder}
      checkout={checkout}
      workspace={workspace}
      onClose={() => navigate(paths.desktopMain, { replace: true })}
    />
  );
}

/** `/desktop/main`: the workspace, its index, and the libraries of the user. */
export function OverviewPage() {
  const { t } = useTranslation();
  const workspace = useWorkspace();
  const { value: checkouts, error, retry } = useCheckouts();
  const name = useSession(({ user }) => user?.name ?? '');
  useTitle(t('desktop.overview'));
  return (
    <div className="page">
      <h1 className="page__title serif">{t('desktop.welcome', { name })}</h1>
      <div className="overview">
        <div className="overview__side">
          <section className="overview__card card" aria-labelledby="overview-libraries">
            <h2 id="overview-libraries" className="overview__title">
              {t('desktop.librariesCard')}
            </h2>
            <Libraries checkouts={checkouts} />
            {checkouts !== null && <Unlisted checkouts={checkouts} />}
            {checkouts === null && error !== null && <ErrorState error={error} onRetry={retry} />}
          </section>
          <section className="overview__card card" aria-labelledby="overview-changes">
            <h2 id="overview-changes" className="overview__title">
              {t('desktop.changesCard')}
            </h2>
            <RecentChanges />
          </section>
        </div>
        <div className="overview__side">
          {workspace !== null && (
            <section className="overview__card card" aria-labelledby="overview-workspace">
              <h2 id="overview-workspace" className="overview__title">
                {t('desktop.workspaceCard')}
              </h2>
              <div className="overview__body">
                <WorkspaceFolder workspace={workspace} />
              </div>
            </section>
          )}
          <section className="overview__card card" aria-labelledby="overview-index">
            <h2 id="overview-index" className="overview__title">
              {t('desktop.indexCard')}
            </h2>
            <div className="overview__body">
              <IndexState />
            </div>
          </section>
        </div>
      </div>
      <ChangesOverlay checkouts={checkouts} />
    </div>
  );
}
