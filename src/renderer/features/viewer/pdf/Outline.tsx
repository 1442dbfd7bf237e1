import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight, ListTree } from 'lucide-react';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState, LoadingRows } from '../../../ui/States.tsx';
import { type Heading, readOutline, visibleHeadings } from './outline.ts';
import type { Destination } from './targets.ts';

const ROW_HEIGHT = 32;

export interface OutlineProps {
  readonly pdf: PDFDocumentProxy;
  readonly onDestination: (destination: Destination) => void;
}

interface TreeProps {
  readonly headings: readonly Heading[];
  readonly onDestination: (destination: Destination) => void;
}

function Tree({ headings, onDestination }: TreeProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(headings.filter(({ opensAtFirst }) => opensAtFirst).map(({ path }) => path)),
  );
  const [active, setActive] = useState('0');
  const rows = useMemo(() => visibleHeadings(headings, open), [headings, open]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });

  const focus = (path: string | undefined) => {
    const index = rows.findIndex((row) => row.path === path);
    if (path === undefined || index < 0) return;
    setActive(path);
    virtualizer.scrollToIndex(index);
  };
  const toggle = (path: string, isOpen: boolean) =>
    setOpen((before) => {
      const next = new Set(before);
      if (isOpen) next.add(path);
      else next.delete(path);
      return next;
    });
  const follow = ({ path, destination, address, isParent }: Heading) => {
    setActive(path);
    if (destination !== null) onDestination(destination);
    else if (address !== null) window.open(address, '_blank', 'noopener,noreferrer');
    else if (isParent) toggle(path, !open.has(path));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const index = rows.findIndex(({ path }) => path === active);
    const row = rows[index];
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const isOpen = row.isParent && open.has(row.path);
    const parent = row.path.split('.').slice(0, -1).join('.');
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focus(rows[index + 1]?.path),
      ArrowUp: () => focus(rows[index - 1]?.path),
      Home: () => focus(rows[0]?.path),
      End: () => focus(rows.at(-1)?.path),
      ArrowRight: () => (row.isParent && !isOpen ? toggle(row.path, true) : isOpen && focus(rows[index + 1]?.path)),
      ArrowLeft: () => (isOpen ? toggle(row.path, false) : focus(parent)),
      Enter: () => follow(row),
      ' ': () => follow(row),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };

  const id = (path: string) => `pdf-heading-${path}`;
  return (
    <div
      ref={scroller}
      className="pdf__list"
      role="tree"
      tabIndex={0}
      aria-label={t('pdf.outline')}
      aria-activedescendant={id(active)}
      onKeyDown={onKeyDown}
    >
      <div className="pdf__headings" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const isOpen = open.has(row.path);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and hears the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names the active one
            <div
              key={row.path}
              id={id(row.path)}
              role="treeitem"
              className={row.path === active ? 'pdf__heading pdf__heading--active' : 'pdf__heading'}
              style={{
                transform: `translateY(${start}px)`,
                paddingInlineStart: `calc(var(--s4) * ${row.level - 1} + var(--s1))`,
              }}
              aria-level={row.level}
              aria-posinset={row.position}
              aria-setsize={row.siblings}
              aria-selected={row.path === active}
              aria-expanded={row.isParent ? isOpen : undefined}
              title={row.title}
              onClick={() => follow(row)}
            >
              {row.isParent ? (
                <span
                  className="pdf__twist"
                  data-open={isOpen}
                  aria-hidden="true"
                  onClick={(event) => {
                    event.stopPropagation();
                    setActive(row.path);
                    toggle(row.path, !isOpen);
                  }}
                >
                  <ChevronRight />
                </span>
              ) : (
                <span className="pdf__twist" aria-hidden="true" />
              )}
              <span className="truncated">{row.title === '' ? t('pdf.untitled') : row.title}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The document's own table of contents. */
export function Outline({ pdf, onDestination }: OutlineProps) {
  const { t } = useTranslation();
  const [headings, setHeadings] = useState<readonly Heading[] | null>(null);
  useEffect(() => {
    let isGone = false;
    void readOutline(pdf).then((read) => !isGone && setHeadings(read));
    return () => {
      isGone = true;
    };
  }, [pdf]);
  if (headings === null) return <LoadingRows rows={6} shape="text" />;
  if (headings.length === 0) {
    return <EmptyState icon={ListTree} title={t('pdf.noOutline')} text={t('pdf.noOutlineText')} />;
  }
  return <Tree headings={headings} onDestination={onDestination} />;
}
