import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight, FolderClosed, FolderOpen, Lock, PackageOpen } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { fetchContent } from '../../../api/fetchContent.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { FileIcon } from '../../../ui/FileIcon.tsx';
import { EmptyState } from '../../../ui/States.tsx';
import { type Formats, useFormats } from '../../../ui/useFormats.ts';
import { GridPart } from '../kit/GridPart.tsx';
import { Prepared } from '../kit/Prepared.tsx';
import type { Found, ViewProps } from '../view.ts';
import { type ArchiveEntry, readDirectory } from './readDirectory.ts';
import { foldersOf, openRows, type TreeRow, treeOf } from './tree.ts';
import '../kit/kit.css';
import './zip.css';

const ROW_HEIGHT = 40;

async function listOf({ url, size }: ViewProps['content'], signal: AbortSignal): Promise<readonly ArchiveEntry[]> {
  return readDirectory(size, async (start, end) => {
    const response = await fetchContent(url, signal, `bytes=${start}-${end - 1}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return response.status === 206 ? bytes : bytes.slice(start, end);
  });
}

interface RowProps {
  readonly row: TreeRow;
  readonly isClosed: boolean;
  readonly formats: Formats;
}

function Row({ row: { path, name, depth, entry, isFolder }, isClosed, formats }: RowProps) {
  const { t } = useTranslation();
  const Chevron = isClosed ? ChevronRight : ChevronDown;
  const Folder = isClosed ? FolderClosed : FolderOpen;
  return (
    <>
      <GridPart className="archive__name" role="gridcell" style={{ paddingInlineStart: `calc(${depth} * var(--s5))` }}>
        <span className="archive__chevron" aria-hidden="true">
          {isFolder && <Chevron />}
        </span>
        {isFolder ? <Folder aria-hidden="true" /> : <FileIcon name={path} />}
        <span className="truncated">{name}</span>
        {entry?.isEncrypted && <Lock aria-label={t('viewKinds.encryptedEntry')} />}
      </GridPart>
      <GridPart className="archive__size" role="gridcell">
        {isFolder || entry === null ? '' : formats.size(entry.size)}
      </GridPart>
      <GridPart className="archive__date" role="gridcell">
        {entry === null || entry.changedAt === null ? '' : formats.longDate(entry.changedAt.toISOString())}
      </GridPart>
    </>
  );
}

interface ListProps extends Pick<ViewProps, 'onFindable'> {
  readonly entries: readonly ArchiveEntry[];
}

function List({ entries, onFindable }: ListProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const all = useMemo(() => treeOf(entries), [entries]);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => openRows(all, closed), [all, closed]);
  const [found, setFound] = useState<{ readonly paths: ReadonlySet<string>; readonly active: string | null } | null>(
    null,
  );
  const [focused, setFocused] = useState(all[0]?.path ?? '');
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  useEffect(() => {
    const text = entries.map(({ path }) => path).join('\n');
    const pathAt = (offset: number) => entries[text.slice(0, offset).split('\n').length - 1]?.path ?? '';
    const show = (now: Found | null) => {
      if (now === null) {
        setFound(null);
        return;
      }
      const paths = now.matches.map(({ start }) => pathAt(start));
      const active = paths[now.active] ?? null;
      setFound({ paths: new Set(paths), active });
      if (active === null) return;
      setFocused(active);
      setClosed((before) => new Set([...before].filter((folder) => !foldersOf(active).includes(folder))));
    };
    onFindable({ sections: [{ label: 'Content', text }], show });
    return () => onFindable(null);
  }, [entries, onFindable]);

  const at = rows.findIndex(({ path }) => path === focused);
  useEffect(() => {
    if (at >= 0) virtualizer.scrollToIndex(at);
  }, [at, virtualizer]);

  const toggle = (path: string) =>
    setClosed((before) => {
      const after = new Set(before);
      if (!after.delete(path)) after.add(path);
      return after;
    });
  const row = rows[at];
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setFocused(rows[Math.min(at + 1, rows.length - 1)]?.path ?? ''),
    ArrowUp: () => setFocused(rows[Math.max(at - 1, 0)]?.path ?? ''),
    Home: () => setFocused(rows[0]?.path ?? ''),
    End: () => setFocused(rows.at(-1)?.path ?? ''),
    ArrowRight: () => row?.isFolder && closed.has(row.path) && toggle(row.path),
    ArrowLeft: () => {
      if (row?.isFolder && !closed.has(row.path)) toggle(row.path);
      else setFocused(foldersOf(focused).at(-1) ?? focused);
    },
    Enter: () => row?.isFolder && toggle(row.path),
    ' ': () => row?.isFolder && toggle(row.path),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  const files = entries.filter(({ path }) => !path.endsWith('/'));
  const isEncrypted = files.some((entry) => entry.isEncrypted);
  if (entries.length === 0) return <EmptyState icon={PackageOpen} title={t('viewKinds.emptyArchive')} />;
  return (
    <div className="view">
      <p className="view-note">
        {t('viewKinds.archiveFiles', {
          count: files.length,
          size: formats.size(files.reduce((sum, { size }) => sum + size, 0)),
        })}
        {isEncrypted && ` ${t('viewKinds.archiveEncrypted')}`}
      </p>
      <GridPart
        className="archive view__main"
        ref={scroller}
        role="treegrid"
        tabIndex={0}
        aria-label={t('viewKinds.archiveList')}
        aria-rowcount={rows.length}
        aria-activedescendant={at < 0 ? undefined : `archive-${at}`}
        onKeyDown={onKeyDown}
      >
        <div className="archive__canvas" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const each = rows[index];
            if (each === undefined) return null;
            return (
              <GridPart
                key={each.path}
                id={`archive-${index}`}
                className="archive__row"
                role="row"
                aria-rowindex={index + 1}
                aria-level={each.depth + 1}
                aria-expanded={each.isFolder ? !closed.has(each.path) : undefined}
                data-focused={each.path === focused || undefined}
                data-found={found?.paths.has(each.path) || undefined}
                data-active={(found !== null && found.active === each.path) || undefined}
                style={{ transform: `translateY(${start}px)` }}
                onClick={() => {
                  setFocused(each.path);
                  if (each.isFolder) toggle(each.path);
                }}
              >
                <Row row={each} isClosed={closed.has(each.path)} formats={formats} />
              </GridPart>
            );
          })}
        </div>
      </GridPart>
    </div>
  );
}

/** What is in a ZIP archive, without unpacking it. */
export function ZipView({ content, onFindable }: ViewProps) {
  return (
    <Prepared content={content} most={Number.POSITIVE_INFINITY} as="archive" prepare={listOf}>
      {(entries) => <List entries={entries} onFindable={onFindable} />}
    </Prepared>
  );
}
