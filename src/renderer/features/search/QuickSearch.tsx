import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { navigate } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';

export interface QuickSearchProps {
  readonly className: string;
  readonly inputClassName: string;
  readonly maxLength: number;
  readonly onSearched?: () => void;
}

/** The search field of a layout: leads to what is found. Nothing is searched for nothing (web-and-phone.md §5). */
export function QuickSearch({ className, inputClassName, maxLength, onSearched }: QuickSearchProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const query = text.trim();
    if (query === '') return;
    setText('');
    navigate(paths.search(query));
    onSearched?.();
  };
  return (
    <search className={className}>
      <form onSubmit={submit}>
        <Search aria-hidden="true" />
        <input
          type="search"
          className={inputClassName}
          enterKeyHint="search"
          aria-label={t('nav.search')}
          placeholder={t('nav.searchPlaceholder')}
          maxLength={maxLength}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </search>
  );
}
