import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, Download, Ellipsis, History } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { fillPath } from '../../../shared/api/call.ts';
import { STREAM_ROUTES } from '../../../shared/api/documents.ts';
import type { ShelfDocument } from '../../../shared/model/library.ts';
import { paths } from '../../app/routes.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { splitName } from '../../ui/fileKind.ts';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { moveFocus } from '../../ui/moveFocus.ts';
import { useFormats } from '../../ui/useFormats.ts';
import { When } from '../../ui/When.tsx';
import './documents.css';

type Column = 'name' | 'changed' | 'size';
interface Order {
  readonly column: Column;
  readonly descending: boolean;
}

const ROW_HEIGHT = 49;
const OVERSCAN = 12;

function compareBy(column: Column, locale: string): (a: ShelfDocument, b: ShelfDocument) => number {
  if (column === 'size') return (a, b) => a.size - b.size;
  if (column === 'changed') return (a, b) => a.updated_at.localeCompare(b.updated_at);
  const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  return (a, b) => compare(a.name, b.name);
}

interface RowProps {
  readonly document: ShelfDocument;
  readonly library: string;
  readonly shelfId: string;
}

function Row({ document, library, shelfId }: RowProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { folder, base } = splitName(document.name);
  const address = paths.version(library, shelfId, document.current_version_id);
  return (
    <>
      <td className="documents__name">
        <FileIcon name={document.name} />
        <Link href={address} className="documents__link" data-roving="">
          {folder !== '' && <span className="documents__folder">{folder}</span>}
          {base}
        </Link>
      </td>
      <td className="documents__version">
        <span className="badge">{t('common.version', { number: document.current_version })}</span>
      </td>
      <td className="documents__who" title={document.commit_message || undefined}>
        <Avatar name={document.author} />
        <span className="truncated">{document.author}</span>
        <span className="documents__when">
          <When moment={document.updated_at} />
        </span>
      </td>
      <td className="documents__size">{formats.size(document.size)}</td>
      <td className="documents__actions">
        <Menu
          trigger={
            <button type="button" className="icon-button" aria-label={t('shelf.actions', { name: document.name })}>
              <Ellipsis />
            </button>
          }
        >
          <MenuItem asChild>
            <a href={fillPath(STREAM_ROUTES.documentDownload, { id: document.id })} download={base}>
              <Download aria-hidden="true" />
              {t('common.download')}
            </a>
          </MenuItem>
          <MenuItem asChild>
            <Link href={address}>
              <History aria-hidden="true" />
              {t('shelf.versions')}
            </Link>
          </MenuItem>
        </Menu>
      </td>
    </>
  );
}

export interface DocumentTableProps {
  readonly documents: readonly ShelfDocument[];
  readonly library: string;
  readonly shelfId: string;
}

/** The documents of a shelf: sortable, virtual, so that a hundred thousand rows scroll like ten. */
export function DocumentTable({ documents, library, shelfId }: DocumentTableProps) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const [order, setOrder] = useState<Order>({ column: 'name', descending: false });
  const body = useRef<HTMLTableSectionElement>(null);
  const [offset, setOffset] = useState(0);
  const sorted = useMemo(() => {
    const rows = [...documents].sort(compareBy(order.column, locale));
    return order.descending ? rows.reverse() : rows;
  }, [documents, order, locale]);
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top ?? 0;
    setOffset(top + window.scrollY);
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: sorted.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: offset,
  });

  const header = (column: Column, label: string, className: string) => {
    const isSorted = order.column === column;
    const Arrow = order.descending ? ArrowDown : ArrowUp;
    return (
      <th
        scope="col"
        className={className}
        aria-sort={isSorted ? (order.descending ? 'descending' : 'ascending') : undefined}
      >
        <button
          type="button"
          className="documents__sort"
          onClick={() => setOrder({ column, descending: isSorted ? !order.descending : column !== 'name' })}
        >
          {label}
          {isSorted && <Arrow aria-hidden="true" />}
        </button>
      </th>
    );
  };

  return (
    <table className="documents card" aria-label={t('shelf.documents')} aria-rowcount={sorted.length + 1}>
      <thead className="documents__head">
        <tr className="documents__row" aria-rowindex={1}>
          {header('name', t('shelf.columnName'), 'documents__name')}
          <th scope="col" className="documents__version">
            {t('shelf.columnVersion')}
          </th>
          {header('changed', t('shelf.columnChanged'), 'documents__who')}
          {header('size', t('shelf.columnSize'), 'documents__size')}
          <td />
        </tr>
      </thead>
      <tbody
        ref={body}
        className="documents__body"
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={moveFocus}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const document = sorted[index];
          return document === undefined ? null : (
            <tr
              key={document.id}
              data-index={index}
              ref={virtualizer.measureElement}
              className="documents__row documents__row--body"
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${start - offset}px)` }}
            >
              <Row document={document} library={library} shelfId={shelfId} />
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
