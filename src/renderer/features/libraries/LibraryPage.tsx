import { BookMarked, Check, ChevronsUpDown, LibraryBig, Plus, SearchX, Settings, Users } from 'lucide-react';
import { useDeferredValue, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { isAppError } from '../../../shared/errors.ts';
import type { Shelf } from '../../../shared/model/library.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { useFullLimit } from '../../api/planQueries.ts';
import { useLibraries, useLibrary } from '../../api/queries.ts';
import { ownsLibrary } from '../../api/roles.ts';
import { paths } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { FilterField } from '../../ui/FilterField.tsx';
import { Menu, MenuItem, MenuLine } from '../../ui/Menu.tsx';
import { Missing } from '../../ui/Missing.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useTitle } from '../../ui/useTitle.ts';
import { When } from '../../ui/When.tsx';
import { CreateDialog, PlanLimitDialog } from './dialogs.ts';
import './libraries.css';

function ShelfTile({ shelf, library }: { readonly shelf: Shelf; readonly library: string }) {
  const { t } = useTranslation();
  return (
    <li>
      <Link href={paths.shelf(library, shelf.id)} className="tile card">
        <span className="tile__icon" aria-hidden="true">
          <BookMarked />
        </span>
        <span className="tile__name">{shelf.name}</span>
        <span className="tile__facts">
          <span>{t('common.documents', { count: shelf.document_count })}</span>
          {shelf.members.length > 1 && (
            <span className="tile__members">
              <Users aria-hidden="true" />
              {t('common.members', { count: shelf.members.length })}
            </span>
          )}
          {shelf.archived && <span className="badge badge--warning">{t('common.archived')}</span>}
          <span className="tile__when">
            <When moment={shelf.updated_at} />
          </span>
        </span>
      </Link>
    </li>
  );
}

/** From so many shelves on they are easier found by typing than by looking. */
const LONG_LIST = 12;

interface ShelvesProps {
  readonly shelves: readonly Shelf[];
  readonly library: string;
}

/** The shelves of a library; a long list has a filter. */
function Shelves({ shelves, library }: ShelvesProps) {
  const { t } = useTranslation();
  const [filter, setFilter] = useState('');
  const isLong = shelves.length >= LONG_LIST;
  // Folded as names are compared, so that no case and no width of letters keeps a shelf from being found.
  const wanted = useDeferredValue(isLong ? nameKey(filter.trim()) : '');
  const shown = wanted === '' ? shelves : shelves.filter((shelf) => nameKey(shelf.name).includes(wanted));
  return (
    <>
      {isLong && (
        <div className="library__tools">
          <FilterField className="library__filter" label={t('library.filter')} value={filter} onChange={setFilter} />
          <span className="muted nowrap" role="status">
            {t('common.shelves', { count: shown.length })}
          </span>
        </div>
      )}
      {shown.length === 0 ? (
        <div className="card">
          <EmptyState icon={SearchX} title={t('library.noFilterMatch', { text: filter.trim() })}>
            <button type="button" className="button" onClick={() => setFilter('')}>
              {t('library.clearFilter')}
            </button>
          </EmptyState>
        </div>
      ) : (
        <ul className="tiles">
          {shown.map((shelf) => (
            <ShelfTile key={shelf.id} shelf={shelf} library={library} />
          ))}
        </ul>
      )}
    </>
  );
}

/** Goes to another library of the user's, or makes one. */
function LibrarySwitch({ current, onCreate }: { readonly current: string; readonly onCreate: () => void }) {
  const { t } = useTranslation();
  const { data: libraries = [] } = useLibraries();
  const username = useSession(({ user }) => user?.username ?? '');
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="icon-button" aria-label={t('library.switch')}>
          <ChevronsUpDown />
        </button>
      }
    >
      {libraries.map(({ id, name }) => (
        <MenuItem key={id} asChild>
          <Link href={paths.library(name)}>
            <LibraryBig aria-hidden="true" />
            <span className="truncated">{name}</span>
            {nameKey(name) === nameKey(current) && <Check className="menu__end" aria-hidden="true" />}
          </Link>
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem asChild>
        <Link href={paths.user(username)}>{t('library.all')}</Link>
      </MenuItem>
      <MenuItem onSelect={onCreate}>
        <Plus aria-hidden="true" />
        {t('library.newLibrary')}
      </MenuItem>
    </Menu>
  );
}

/** A library: its shelves. */
export function LibraryPage({ library: name }: { readonly library: string }) {
  const { t } = useTranslation();
  const { data: library, error, isPending, isLoadingError, refetch } = useLibrary(name);
  const { user, rememberLibrary, forgetLibrary } = useSession((state) => state);
  const [creating, setCreating] = useState<'shelf' | 'library' | null>(null);
  const fullShelves = useFullLimit('shelves');
  const fullLibraries = useFullLimit('libraries');
  const shownName = library?.name ?? name;
  useTitle(shownName);
  const known = library?.name;
  useEffect(() => {
    if (known !== undefined) rememberLibrary(known);
  }, [known, rememberLibrary]);
  const isGone = isAppError(error, 'not-found');
  useEffect(() => {
    if (isGone) forgetLibrary(name);
  }, [isGone, name, forgetLibrary]);

  if (isGone) {
    return <Missing title={t('library.notFoundTitle')} text={t('library.notFoundText')} />;
  }
  const canCreate = library !== undefined && !library.archived && ownsLibrary(library, user?.username ?? '');
  const full = creating === 'shelf' ? fullShelves : fullLibraries;
  return (
    <div className="page">
      <header className="page__head">
        <div className="page__titles">
          <h1 className="page__title serif">{shownName}</h1>
          <LibrarySwitch current={shownName} onCreate={() => setCreating('library')} />
        </div>
        <div className="page__actions">
          {library !== undefined && (
            <Link href={paths.librarySettings(library.name)} className="button">
              <Settings />
              {t('nav.settings')}
            </Link>
          )}
          {canCreate && (
            <button type="button" className="button button--primary" onClick={() => setCreating('shelf')}>
              <Plus />
              {t('library.newShelf')}
            </button>
          )}
        </div>
      </header>
      {library?.archived === true && <p className="notice notice--warning">{t('library.archivedNotice')}</p>}
      <section aria-label={t('library.shelves')}>
        {isPending ? (
          <LoadingRows rows={3} shape="tile" />
        ) : isLoadingError ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : library.shelves.length === 0 ? (
          <div className="card">
            <EmptyState icon={BookMarked} title={t('library.emptyTitle')} text={t('library.emptyText')}>
              {canCreate && (
                <button type="button" className="button button--primary" onClick={() => setCreating('shelf')}>
                  {t('library.emptyAction')}
                </button>
              )}
            </EmptyState>
          </div>
        ) : (
          <Shelves shelves={library.shelves} library={library.name} />
        )}
      </section>
      {creating !== null && full !== null && <PlanLimitDialog limit={full} onClose={() => setCreating(null)} />}
      {creating !== null && full === null && (
        <CreateDialog library={creating === 'shelf' ? shownName : null} onClose={() => setCreating(null)} />
      )}
    </div>
  );
}
