import { useId } from 'react';
import { useStore } from 'zustand';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { AGE_NAMES, countFilters, KIND_NAMES, type SearchFilters } from './filters.ts';
import type { SearchStore } from './searchStore.ts';

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly any: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, any, options, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <label className="filter" htmlFor={id}>
      <span className="filter__label">{label}</span>
      <select
        id={id}
        className="input filter__input"
        data-set={value !== ''}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">{any}</option>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface WordsProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Words({ label, placeholder, value, onChange }: WordsProps) {
  const id = useId();
  return (
    <label className="filter" htmlFor={id}>
      <span className="filter__label">{label}</span>
      <input
        id={id}
        className="input filter__input"
        data-set={value.trim() !== ''}
        value={value}
        placeholder={placeholder}
        maxLength={200}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </label>
  );
}

/** What narrows the search, for both tabs. */
export function Filters({ store, id }: { readonly store: SearchStore; readonly id: string }) {
  const { t } = useTranslation();
  const { filters, setFilter, clearFilters } = useStore(store);
  const onComputer = useServices().platform.index !== null;
  const set = (name: keyof SearchFilters) => (value: string) => setFilter(name, value);
  return (
    <fieldset className="filters" id={id} aria-label={t('filters.title')}>
      <Choice
        label={t('filters.type')}
        any={t('filters.anyType')}
        value={filters.kind}
        options={KIND_NAMES.map((kind) => [kind, t(`filters.kinds.${kind}`)])}
        onChange={set('kind')}
      />
      <Choice
        label={t('filters.date')}
        any={t('filters.anyDate')}
        value={filters.age}
        options={AGE_NAMES.map((age) => [age, t(`filters.ages.${age}`)])}
        onChange={set('age')}
      />
      <Words
        label={t('filters.library')}
        placeholder={t('filters.any')}
        value={filters.library}
        onChange={set('library')}
      />
      <Words label={t('filters.shelf')} placeholder={t('filters.any')} value={filters.shelf} onChange={set('shelf')} />
      <Words
        label={onComputer ? t('filters.authorInHistory') : t('filters.author')}
        placeholder={t('filters.any')}
        value={filters.author}
        onChange={set('author')}
      />
      <Words
        label={t('filters.include')}
        placeholder="*.md, drafts"
        value={filters.include}
        onChange={set('include')}
      />
      <Words label={t('filters.exclude')} placeholder="*.log" value={filters.exclude} onChange={set('exclude')} />
      {countFilters(filters) > 0 && (
        <button type="button" className="button button--small filters__clear" onClick={clearFilters}>
          {t('filters.clear')}
        </button>
      )}
    </fieldset>
  );
}
