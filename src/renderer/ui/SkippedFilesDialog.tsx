import { useMutation, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { RotateCw } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from '../i18n/useTranslation.ts';
import type { IndexCapability } from '../platform/types.ts';
import { Dialog } from './Dialog.tsx';
import { FileIcon } from './FileIcon.tsx';
import { splitName } from './fileKind.ts';
import { ErrorState, LoadingRows } from './States.tsx';
import { notify } from './toast.ts';
import { useErrorText } from './useErrorText.ts';
import './skipped.css';

export interface SkippedFilesDialogProps {
  readonly index: IndexCapability;
  readonly onClose: () => void;
}

/** Files that are not searched by content, each with its reason: nothing is left out in silence. */
export function SkippedFilesDialog({ index, onClose }: SkippedFilesDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { data, error, isPending, isLoadingError, refetch } = useQuery({
    queryKey: ['index', 'skipped'],
    queryFn: () => index.skipped(),
    staleTime: 0,
  });
  const { mutate: retry, isPending: isReading } = useMutation({
    mutationFn: () => index.retrySkipped(),
    onError: (failure) => notify(errorText(failure), 'error'),
    onSettled: () => refetch(),
  });
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: data?.length ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => 64,
    overscan: 8,
  });
  return (
    <Dialog
      title={t('search.notSearchedTitle')}
      description={t('search.notSearchedText')}
      onClose={onClose}
      size="lg"
      actions={
        <button type="button" className="button" disabled={isReading} onClick={() => retry()}>
          <RotateCw aria-hidden="true" />
          {isReading ? t('search.retryingSkipped') : t('search.retrySkipped')}
        </button>
      }
    >
      {isPending ? (
        <LoadingRows rows={4} />
      ) : isLoadingError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region has to be reachable by keyboard
        <div className="skipped" ref={scroller} tabIndex={0}>
          <ul className="skipped__list" style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index: at, start }) => {
              const file = data[at];
              if (file === undefined) return null;
              const { folder, base } = splitName(file.path);
              return (
                <li
                  key={file.path}
                  ref={virtualizer.measureElement}
                  data-index={at}
                  className="skipped__file"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <FileIcon name={file.path} />
                  <span className="skipped__text">
                    <span className="skipped__name">{base}</span>
                    <span className="muted skipped__folder">{folder}</span>
                    <span className="skipped__reason">{file.reason}</span>
                  </span>
                </li>
              );
            })}
          </ul>
        </div>
      )}
    </Dialog>
  );
}
