import { useQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { isAppError } from '../../../../shared/errors.ts';
import type { ViewedContent } from '../../../api/viewer.ts';
import { useServices } from '../../../app/services.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/States.tsx';
import { NotShown } from './NotShown.tsx';
import { refusalOf } from './refusal.ts';

export interface PreparedProps<T> {
  readonly content: ViewedContent;
  /** More bytes than these are not shown but offered for download. */
  readonly most: number;
  /** Tells what is prepared from what else is made of the same content. */
  readonly as: string;
  /** Gets the content and makes of it what is drawn; called again when somebody tries again. */
  readonly prepare: (content: ViewedContent, signal: AbortSignal) => Promise<T>;
  readonly children: (prepared: T) => ReactNode;
}

/** What a view draws once its document is there, and until then or instead of it what people have to know. */
export function Prepared<T>({ content, most, as, prepare, children }: PreparedProps<T>) {
  const { t } = useTranslation();
  const { client } = useServices();
  const { size } = content;
  const isTooLarge = size > most;
  const { data, error, isPending, isLoadingError, refetch } = useQuery({
    queryKey: ['viewer', as, content.key, content.url],
    queryFn: ({ signal }) =>
      prepare(content, signal).catch(async (failure: unknown) => {
        // Contents are fetched past the client, which goes on with a session that has ended.
        if (!isAppError(failure, 'session-expired') || !(await client.resume())) throw failure;
        return prepare(content, signal);
      }),
    enabled: size > 0 && !isTooLarge,
    staleTime: Number.POSITIVE_INFINITY,
    // A document may be large: what was made of it goes with its view.
    gcTime: 0,
    retry: false,
    structuralSharing: false,
  });
  if (size === 0) return <EmptyState icon={FileText} title={t('version.empty')} />;
  if (isTooLarge) return <NotShown content={content} why="tooLarge" most={most} />;
  if (isPending) return <LoadingRows rows={10} shape="text" />;
  if (isLoadingError) {
    const why = refusalOf(error);
    if (why !== null) return <NotShown content={content} why={why} />;
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return children(data);
}
