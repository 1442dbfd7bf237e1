import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import type { ChangeCode } from '../../../../shared/model/library.ts';
import type { FileProgress } from '../../../../shared/upload/uploadEngine.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { FileIcon } from '../../../ui/FileIcon.tsx';
import { splitName } from '../../../ui/fileKind.ts';
import { useErrorText } from '../../../ui/useErrorText.ts';
import type { Batch } from './uploadStore.ts';

const ROW_HEIGHT = 32;

const CODE_BADGES: Readonly<Partial<Record<ChangeCode, string>>> = {
  A: 'badge badge--accent',
  M: 'badge badge--info',
  C: 'badge badge--danger',
};

function FileRow({ name, file, size }: { readonly name: string; readonly file: FileProgress; readonly size: number }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const phases = {
    waiting: t('upload.phaseWaiting'),
    hashing: t('upload.phaseHashing'),
    ready: t('upload.phaseReady'),
    sending: `${size === 0 ? 100 : Math.floor((file.bytes / size) * 100)} %`,
    sent: t('upload.phaseSent'),
    done: '',
    failed: '',
  };
  const isSettled = file.phase === 'done' || file.phase === 'failed';
  return (
    <>
      <FileIcon name={name} />
      <span className="tray__name">
        <span className="truncated" title={name}>
          {splitName(name).base}
        </span>
        {file.error !== null && (
          <span className="field__error">
            {file.error.code === 'folder-unavailable' ? t('uploads.unreadable') : errorText(file.error)}
          </span>
        )}
      </span>
      {file.code !== null && (isSettled || file.code !== 'UC') && (
        <span className={CODE_BADGES[file.code] ?? 'badge'}>{t(`codes.${file.code}`)}</span>
      )}
      {file.code === null && file.phase === 'failed' && (
        <span className="badge badge--danger">{t('uploads.leftOut')}</span>
      )}
      {phases[file.phase] !== '' && <span className="muted nowrap">{phases[file.phase]}</span>}
    </>
  );
}

/** What becomes of each file of an upload; those that failed stand first. Only the rows in sight are drawn. */
export function FileList({ batch: { items, files } }: { readonly batch: Batch<File> }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLElement>(null);
  const order = useMemo(() => {
    const failed: number[] = [];
    const others: number[] = [];
    for (const [index, { phase }] of files.entries()) (phase === 'failed' ? failed : others).push(index);
    return [...failed, ...others];
  }, [files]);
  const virtualizer = useVirtualizer({
    count: order.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (at) => order[at] ?? at,
    overscan: 6,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by keyboard
    <section className="tray__files" ref={scroller} tabIndex={0} aria-label={t('uploads.report')}>
      <ul className="tray__rows" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index: at, start }) => {
          const index = order[at] ?? 0;
          const [item, file] = [items[index], files[index]];
          if (item === undefined || file === undefined) return null;
          return (
            <li
              key={item.name}
              ref={virtualizer.measureElement}
              data-index={at}
              className="tray__file"
              style={{ transform: `translateY(${start}px)` }}
            >
              <FileRow name={item.name} file={file} size={item.size} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
