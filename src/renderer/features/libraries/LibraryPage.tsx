import { BookMarked, Check, ChevronsUpDown, LibraryBig, Plus, Settings, Users } from 'lucide-react';
import { useEffect, useState } from 'react';
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
          <ul className="tiles">
            {library.shelves.map((shelf) => (
              <ShelfTile key={shelf.id} shelf={shelf} library={library.name} />
            ))}
          </ul>
        )}
      </section>
      {creating !== null && full !== null && <PlanLimitDialog limit={full} onClose={() => setCreating(null)} />}
      {creating !== null && full === null && (
        <CreateDialog library={creating === 'shelf' ? shownName : null} onClose={() => setCreating(null)} />
      )}
    </div>
  );
}
