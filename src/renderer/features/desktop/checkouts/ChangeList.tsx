import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { WorkspaceDocument } from '../../../../shared/model/workspace.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { useFormats } from '../../../ui/useFormats.ts';
import { ChangeRow, type ChangeRowProps } from './ChangeRow.tsx';

const ROW_HEIGHT = 57;
const CONFLICT_HEIGHT = 93;

export interface ChangeListProps extends Omit<ChangeRowProps, 'document' | 'isTicked' | 'formats'> {
  readonly documents: readonly WorkspaceDocument[];
  readonly isTicked: (name: string) => boolean;
}

/** What is not the same here and there; only the rows in sight are drawn. */
export function ChangeList({ documents, isTicked, ...row }: ChangeListProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: documents.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (documents[index]?.code === 'C' ? CONFLICT_HEIGHT : ROW_HEIGHT),
    getItemKey: (index) => documents[index]?.name ?? index,
    overscan: 8,
  });
  const height = virtualizer.getTotalSize();
  return (
    <div
      className="local-changes"
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by keyboard
      tabIndex={0}
      style={{ minHeight: `min(${height}px, var(--list-max) * 0.7)` }}
    >
      <ul className="local-changes__rows" aria-label={t('checkouts.list')} style={{ height }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const document = documents[index];
          if (document === undefined) return null;
          return (
            <li
              key={document.name}
              ref={virtualizer.measureElement}
              data-index={index}
              data-code={document.code}
              className="local-change"
              style={{ transform: `translateY(${start}px)` }}
            >
              <ChangeRow document={document} formats={formats} isTicked={isTicked(document.name)} {...row} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
