import { LibraryBig, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Library, Shelf } from '../../../shared/model/library.ts';
import { useFullLimit } from '../../api/planQueries.ts';
import { useArchivedLibraries, useLibraries } from '../../api/queries.ts';
import { ownsLibrary } from '../../api/roles.ts';
import { paths } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useTitle } from '../../ui/useTitle.ts';
import { CreateDialog, PlanLimitDialog } from './dialogs.ts';
import './libraries.css';

/** Libraries, those of others marked as such. */
function LibraryTiles({
  libraries,
}: {
  readonly libraries: readonly (Library & { readonly shelves: readonly Shelf[] })[];
}) {
  const { t } = useTranslation();
  const username = useSession(({ user }) => user?.username ?? '');
  return (
    <ul className="tiles">
      {libraries.map((library) => (
        <li key={library.id}>
          <Link href={paths.library(library.name)} className="tile card">
            <span className="tile__icon" aria-hidden="true">
              <LibraryBig />
            </span>
            <span className="tile__name">{library.name}</span>
            <span className="tile__facts">
              <span>{t('common.shelves', { count: library.shelf_count })}</span>
              {library.archived && <span className="badge badge--warning">{t('common.archived')}</span>}
              {library.shelves.length > 0 && !ownsLibrary(library, username) && (
                <span className="badge badge--info">{t('library.shared')}</span>
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The user's own library list, under the user's name. */
export function LibraryListPage() {
  const { t } = useTranslation();
  const { data: libraries, error, isPending, isLoadingError, refetch } = useLibraries();
  const { data: archived = [] } = useArchivedLibraries();
  const full = useFullLimit('libraries');
  const [isCreating, setCreating] = useState(false);
  useTitle(t('library.listTitle'));
  return (
    <div className="page">
      <header className="page__head">
        <h1 className="page__title serif">{t('library.listTitle')}</h1>
        <button type="button" className="button button--primary" onClick={() => setCreating(true)}>
          <Plus />
          {t('library.newLibrary')}
        </button>
      </header>
      {isPending ? (
        <LoadingRows rows={3} shape="tile" />
      ) : isLoadingError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : libraries.length === 0 ? (
        <div className="card">
          <EmptyState icon={LibraryBig} title={t('library.listEmptyTitle')} text={t('library.listEmptyText')}>
            <button type="button" className="button button--primary" onClick={() => setCreating(true)}>
              {t('library.createLibrary')}
            </button>
          </EmptyState>
        </div>
      ) : (
        <LibraryTiles libraries={libraries} />
      )}
      {archived.length > 0 && (
        <section className="library__archived" aria-labelledby="archived-libraries">
          <h2 id="archived-libraries" className="library__subtitle">
            {t('common.archived')}
          </h2>
          <LibraryTiles libraries={archived} />
        </section>
      )}
      {isCreating && full !== null && <PlanLimitDialog limit={full} onClose={() => setCreating(false)} />}
      {isCreating && full === null && <CreateDialog library={null} onClose={() => setCreating(false)} />}
    </div>
  );
}
