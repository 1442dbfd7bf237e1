import { useQuery } from '@tanstack/react-query';
import { api } from '../../../shared/api/index.ts';
import type { Comment } from '../../../shared/model/comment.ts';
import { pageMark, pageNamed } from '../../../shared/rules/changedPages.ts';
import { queryKeys, useDocumentHistory } from '../../api/queries.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';

/** Whether a page changed from a version to the newest one; undefined until it is known, and where there are no such pages. */
function usePageChanged(versionId: string, documentId: string, page: number): boolean | undefined {
  const { client } = useServices();
  const { data: versions } = useDocumentHistory(documentId);
  const newest = versions?.find(({ is_current }) => is_current)?.id;
  const { data } = useQuery({
    queryKey: [...queryKeys.version(versionId), 'pages since', newest],
    enabled: newest !== undefined,
    queryFn: ({ signal }) =>
      client.call(
        api.compare.versions,
        { params: { id: versionId, other: newest ?? '' }, query: { context: 0 } },
        { signal },
      ),
    select: (comparison) => {
      const pair = comparison.page_pairs.find(({ base }) => base === page);
      return pair === undefined ? null : pageMark(comparison, pair) !== null;
    },
    // Versions never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? undefined;
}

interface KnownPageProps {
  readonly versionId: string;
  readonly documentId: string;
  readonly page: number;
}

function KnownPage({ versionId, documentId, page }: KnownPageProps) {
  const { t } = useTranslation();
  const hasChanged = usePageChanged(versionId, documentId, page);
  if (hasChanged === undefined) return null;
  return (
    <span className={hasChanged ? 'badge badge--warning' : 'badge'}>
      {t(hasChanged ? 'compare.pageChangedSince' : 'compare.pageSameSince', { page })}
    </span>
  );
}

/** Of a comment on an older version that names a page: whether that page changed since (field.md row 32). */
export function PageSince({ comment }: { readonly comment: Comment }) {
  const { version_id, document_id, written_on_current } = comment;
  const page = pageNamed(comment.comment);
  if (page === null || version_id === null || document_id === null || written_on_current !== false) return null;
  return <KnownPage versionId={version_id} documentId={document_id} page={page} />;
}
