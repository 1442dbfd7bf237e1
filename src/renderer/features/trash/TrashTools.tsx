import { LIMITS } from '../../../shared/rules/limits.ts';
import { useLibraries } from '../../api/queries.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';

const SEARCH_IN = ['name', 'text'] as const;

/** What of the trash is wanted, as it is typed and chosen. */
export interface TrashFilter {
  readonly words: string;
  /** Whether the words are looked for in names or in contents. */
  readonly searchIn: (typeof SEARCH_IN)[number];
  /** A library's name; empty for all. */
  readonly library: string;
}

export const NO_FILTER: TrashFilter = { words: '', searchIn: 'name', library: '' };

export interface TrashToolsProps {
  readonly filter: TrashFilter;
  readonly onFilter: (filter: TrashFilter) => void;
  readonly isSearching: boolean;
}

/** Finds in the trash by name, by content and by library. */
export function TrashTools({ filter, onFilter, isSearching }: TrashToolsProps) {
  const { t } = useTranslation();
  const { data: libraries = [] } = useLibraries();
  return (
    <div className="grid-tools">
      <input
        type="search"
        className="input grid-tools__filter"
        aria-label={t('files.searchTrash')}
        placeholder={t('files.searchTrash')}
        maxLength={LIMITS.searchMaxLength}
        value={filter.words}
        onChange={({ target }) => onFilter({ ...filter, words: target.value })}
      />
      <select
        className="input select grid-tools__select"
        aria-label={t('files.searchIn')}
        value={filter.searchIn}
        onChange={({ target }) =>
          onFilter({ ...filter, searchIn: SEARCH_IN.find((each) => each === target.value) ?? 'name' })
        }
      >
        {SEARCH_IN.map((each) => (
          <option key={each} value={each}>
            {t(`files.searchIn_${each}`)}
          </option>
        ))}
      </select>
      <select
        className="input select grid-tools__select"
        aria-label={t('files.library')}
        value={filter.library}
        onChange={({ target }) => onFilter({ ...filter, library: target.value })}
      >
        <option value="">{t('library.all')}</option>
        {libraries.map(({ id, name }) => (
          <option key={id} value={name}>
            {name}
          </option>
        ))}
      </select>
      {isSearching && <span className="spinner" role="status" aria-label={t('search.searching')} />}
    </div>
  );
}
