import { useQueries } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../../shared/api/index.ts';
import { queryKeys, useLibraries } from '../../api/queries.ts';
import { paths } from '../../app/routes.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { When } from '../../ui/When.tsx';

/** The shelves that changed last hold the last changes. */
const SHELVES = 5;
const COMMITS = 5;
const SHOWN = 6;

/** The last commits of all shelves. */
function useRecentCommits() {
  const { client } = useServices();
  const { data: libraries, isPending } = useLibraries();
  const shelves = (libraries ?? [])
    .flatMap((library) => library.shelves)
    .filter((shelf) => shelf.document_count > 0)
    .sort((a, b) => b.updated_at.localeCompare(a.updated_at))
    .slice(0, SHELVES);
  return useQueries({
    queries: shelves.map(({ id, library, name }) => ({
      queryKey: [...queryKeys.commits(id), 'recent'],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const params = { lib: library, id };
        const { commits } = await client.call(
          api.documents.commits,
          { params, query: { page: 1, page_size: COMMITS } },
          { signal },
        );
        return commits.map((commit) => ({ commit, shelf: { id, library, name } }));
      },
    })),
    combine: (results) => ({
      isPending: isPending || results.some((result) => result.isPending),
      error: results.find((result) => result.isLoadingError)?.error ?? null,
      refetch: () => results.forEach((result) => void result.refetch()),
      recent: results
        .flatMap(({ data }) => data ?? [])
        .sort((a, b) => b.commit.created_at.localeCompare(a.commit.created_at))
        .slice(0, SHOWN),
    }),
  });
}

/** What changed last, on whichever shelf. */
export function RecentChanges() {
  const { t } = useTranslation();
  const { isPending, error, refetch, recent } = useRecentCommits();
  if (isPending) return <LoadingRows rows={3} />;
  if (error !== null) return <ErrorState error={error} onRetry={refetch} />;
  if (recent.length === 0) return <p className="muted overview__body">{t('desktop.noChanges')}</p>;
  return (
    <ul>
      {recent.map(({ commit, shelf }) => (
        <li key={`${shelf.id} ${commit.hash}`}>
          <Link href={paths.commits(shelf.library, shelf.id)} className="overview__change">
            <Avatar name={commit.author} large />
            <span className="overview__change-text">
              <strong className="truncated">{commit.message === '' ? t('shelf.noMessage') : commit.message}</strong>
              <span className="muted truncated">
                {t('desktop.changeIn', { author: commit.author, shelf: shelf.name, count: commit.changes.length })}
              </span>
            </span>
            <span className="muted">
              <When moment={commit.created_at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
