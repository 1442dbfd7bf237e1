import { BookMarked, LibraryBig, SearchX, Star, StarOff } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { Favorite } from '../../../shared/api/favorites.ts';
import { useFavorites, useStar } from '../../api/favorites.ts';
import { paths } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { FilterField } from '../../ui/FilterField.tsx';
import { SelectableGrid } from '../../ui/SelectableGrid.tsx';
import { SelectionBar } from '../../ui/SelectionBar.tsx';
import { StarButton } from '../../ui/StarButton.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useSelection } from '../../ui/selection.ts';
import { notify } from '../../ui/toast.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { When } from '../../ui/When.tsx';
import './favorites.css';

const KINDS = ['all', 'library', 'shelf', 'document'] as const;
type Kind = (typeof KINDS)[number];

function addressOf({ kind, id, library, shelf_id }: Favorite): string {
  if (kind === 'library') return paths.library(library);
  if (kind === 'shelf') return paths.shelf(library, id);
  return paths.document(library, shelf_id ?? '', id);
}

function KindIcon({ favorite }: { readonly favorite: Favorite }): ReactNode {
  if (favorite.kind === 'document') return <FileIcon name={favorite.name} />;
  const Icon = favorite.kind === 'library' ? LibraryBig : BookMarked;
  return (
    <span className="favorites__icon" aria-hidden="true">
      <Icon />
    </span>
  );
}

interface CellsProps {
  readonly favorite: Favorite;
  readonly tabIndex: 0 | -1;
  readonly onRemove: () => void;
}

function Cells({ favorite, tabIndex, onRemove }: CellsProps) {
  const { t } = useTranslation();
  const { name, kind, library, shelf } = favorite;
  const place = kind === 'library' ? [] : kind === 'shelf' ? [library] : [library, shelf ?? ''];
  return (
    <>
      <td className="grid__name">
        <KindIcon favorite={favorite} />
        <span className="grid__text">
          <Link href={addressOf(favorite)} className="grid__link" title={name} data-focus="" tabIndex={tabIndex}>
            {name}
          </Link>
          <span className="grid__small">
            {[t(`files.kind_${kind}`), place.join(' / ')].filter(Boolean).join(' · ')}
          </span>
        </span>
      </td>
      <td className="favorites__when">
        <When moment={favorite.created_at} />
      </td>
      <td className="grid__actions">
        <StarButton name={name} isFavorite onToggle={onRemove} tabIndex={tabIndex} />
      </td>
    </>
  );
}

function FavoriteList({ favorites }: { readonly favorites: readonly Favorite[] }) {
  const { t } = useTranslation();
  const star = useStar();
  const selection = useSelection();
  const [kind, setKind] = useState<Kind>('all');
  const [text, setText] = useState('');
  const shown = useMemo(() => {
    const wanted = text.trim().toLocaleLowerCase();
    return favorites.filter(
      (each) => (kind === 'all' || each.kind === kind) && each.name.toLocaleLowerCase().includes(wanted),
    );
  }, [favorites, kind, text]);
  const selected = shown.filter(({ id }) => selection.ids.has(id));
  const remove = (targets: readonly Favorite[]) => {
    star(targets, false);
    selection.clear();
    const told = t('files.unstarred', { count: targets.length, name: targets[0]?.name ?? '' });
    notify(told, 'success', { label: t('files.undo'), run: () => star(targets, true) });
  };
  const clearFilters = () => {
    setText('');
    setKind('all');
  };
  return (
    <>
      <div className="grid-tools">
        <FilterField
          className="grid-tools__filter"
          label={t('files.filterFavorites')}
          value={text}
          onChange={setText}
        />
        <select
          className="input select grid-tools__select"
          aria-label={t('files.kind')}
          value={kind}
          onChange={(event) => setKind(KINDS.find((each) => each === event.target.value) ?? 'all')}
        >
          {KINDS.map((each) => (
            <option key={each} value={each}>
              {t(`files.kinds_${each}`)}
            </option>
          ))}
        </select>
      </div>
      {shown.length === 0 ? (
        <div className="card">
          <EmptyState icon={SearchX} title={t('files.noFavoriteMatch')}>
            <button type="button" className="button" onClick={clearFilters}>
              {t('files.clearFilters')}
            </button>
          </EmptyState>
        </div>
      ) : (
        <SelectableGrid
          label={t('nav.favorites')}
          className="favorites"
          items={shown}
          selection={selection}
          actions={{ Delete: (favorite) => remove(selected.length > 0 ? selected : [favorite]) }}
          head={
            <>
              <th scope="col">{t('shelf.columnName')}</th>
              <th scope="col" className="favorites__when">
                {t('files.columnStarred')}
              </th>
              <td />
            </>
          }
          cells={(favorite, tabIndex) => (
            <Cells favorite={favorite} tabIndex={tabIndex} onRemove={() => remove([favorite])} />
          )}
        />
      )}
      {selected.length > 0 && (
        <SelectionBar count={selected.length} onClear={selection.clear}>
          <button type="button" className="button" onClick={() => remove(selected)}>
            <StarOff />
            {t('files.unstarMany')}
          </button>
        </SelectionBar>
      )}
    </>
  );
}

/** `/favorites`: what the user starred, wherever it is. */
export function FavoritesPage() {
  const { t } = useTranslation();
  const { data: favorites, error, isPending, isLoadingError, refetch } = useFavorites();
  const username = useSession(({ user }) => user?.username ?? '');
  useTitle(t('nav.favorites'));
  return (
    <div className="page">
      <header className="page__head">
        <h1 className="page__title serif">{t('nav.favorites')}</h1>
      </header>
      {isPending ? (
        <div className="card">
          <LoadingRows />
        </div>
      ) : isLoadingError ? (
        <div className="card">
          <ErrorState error={error} onRetry={() => void refetch()} />
        </div>
      ) : favorites.length === 0 ? (
        <div className="card">
          <EmptyState icon={Star} title={t('files.noFavorites')} text={t('files.noFavoritesText')}>
            <Link href={paths.user(username)} className="button">
              {t('nav.myLibraries')}
            </Link>
          </EmptyState>
        </div>
      ) : (
        <FavoriteList favorites={favorites} />
      )}
    </div>
  );
}
