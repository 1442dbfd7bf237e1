import { BookMarked, BookUser, ChevronRight, LibraryBig } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Link } from 'wouter';
import type { Library, Shelf } from '../../../shared/model/library.ts';
import { truncate } from '../../../shared/rules/format.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { useLibraries } from '../../api/queries.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';

function ShelfEntry({ library, shelf }: { readonly library: string; readonly shelf: Shelf }) {
  const { t } = useTranslation();
  const isShared = shelf.members.length > 1;
  const Icon = isShared ? BookUser : BookMarked;
  return (
    <li>
      <Link href={paths.shelf(library, shelf.id)} className="sidebar__entry sidebar__entry--shelf">
        <Icon
          className={isShared ? 'sidebar__shared' : undefined}
          {...(isShared ? { role: 'img', 'aria-label': t('sidebar.sharedShelf') } : { 'aria-hidden': true })}
        />
        {truncate(shelf.name, LIMITS.truncateSidebarShelf)}
      </Link>
    </li>
  );
}

interface LibraryEntryProps {
  readonly library: Library;
  /** The person is in it. */
  readonly isCurrent: boolean;
}

function LibraryEntry({ library: { name, shelves = [] }, isCurrent }: LibraryEntryProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(isCurrent);
  const id = useId();
  useEffect(() => {
    if (isCurrent) setOpen(true);
  }, [isCurrent]);
  return (
    <li>
      <div className="sidebar__library">
        <Link href={paths.library(name)} className="sidebar__entry" aria-current={isCurrent ? 'location' : undefined}>
          <LibraryBig aria-hidden="true" />
          {truncate(name, LIMITS.truncateSidebarLibrary)}
        </Link>
        <button
          type="button"
          className="icon-button sidebar__expand"
          aria-label={t('sidebar.shelvesOf', { name })}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight />
        </button>
      </div>
      {isOpen && (
        <ul id={id}>
          {shelves.length === 0 ? (
            <li className="sidebar__empty">{t('sidebar.noShelves')}</li>
          ) : (
            shelves.map((shelf) => <ShelfEntry key={shelf.id} library={name} shelf={shelf} />)
          )}
        </ul>
      )}
    </li>
  );
}

/** The libraries, each of which opens to its shelves. @param open the library that the person is in */
export function LibraryTree({ open }: { readonly open: string | null }) {
  const { t } = useTranslation();
  const { data: libraries, error, isLoadingError, refetch } = useLibraries();
  return (
    <nav aria-label={t('sidebar.libraries')}>
      <h2 className="sidebar__title">{t('sidebar.libraries')}</h2>
      {isLoadingError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : libraries === undefined ? (
        <LoadingRows rows={3} />
      ) : libraries.length === 0 ? (
        <p className="sidebar__empty">{t('sidebar.noShelves')}</p>
      ) : (
        <ul>
          {libraries.map((library) => (
            <LibraryEntry
              key={library.id}
              library={library}
              isCurrent={open !== null && nameKey(library.name) === nameKey(open)}
            />
          ))}
        </ul>
      )}
    </nav>
  );
}
