import { ChevronLeft, ChevronRight, SearchX } from 'lucide-react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { EmptyState } from '../../ui/States.tsx';
import { useFormats } from '../../ui/useFormats.ts';
import './table.css';

export interface PagerProps {
  readonly page: number;
  readonly pageSize: number;
  readonly shown: number;
  /** Null where the server does not count them. */
  readonly count: number | null;
  readonly hasMore: boolean;
  readonly onPage: (page: number) => void;
}

/** Which rows of how many are shown, and the way to the others. */
export function Pager({ page, pageSize, shown, count, hasMore, onPage }: PagerProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (page === 1 && !hasMore && count === null) return null;
  const before = (page - 1) * pageSize;
  const range = { from: formats.number(before + 1), to: formats.number(before + shown) };
  return (
    <nav className="pager" aria-label={t('admin.pages')}>
      <span className="muted" role="status">
        {count === null
          ? t('admin.range', range)
          : count === 1
            ? t('admin.onlyRow')
            : t('admin.rangeOf', { ...range, total: formats.number(count) })}
      </span>
      {(page > 1 || hasMore) && (
        <span className="pager__buttons">
          <button
            type="button"
            className="icon-button"
            aria-label={t('admin.previousPage')}
            disabled={page === 1}
            onClick={() => onPage(page - 1)}
          >
            <ChevronLeft />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={t('admin.nextPage')}
            disabled={!hasMore}
            onClick={() => onPage(page + 1)}
          >
            <ChevronRight />
          </button>
        </span>
      )}
    </nav>
  );
}

/** Stands where a page was whose last rows went. */
export function PageGone({ onFirst }: { readonly onFirst: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState icon={SearchX} title={t('admin.pageGone')}>
      <button type="button" className="button" onClick={onFirst}>
        {t('admin.toFirstPage')}
      </button>
    </EmptyState>
  );
}
