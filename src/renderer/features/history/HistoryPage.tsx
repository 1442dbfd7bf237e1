import { Copy, History, SearchX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { isAppError } from '../../../shared/errors.ts';
import type { Commit, CommitChange } from '../../../shared/model/library.ts';
import { dayKey } from '../../../shared/rules/format.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { useCommits, useShelf } from '../../api/queries.ts';
import { paths } from '../../app/routes.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Breadcrumb } from '../../ui/Breadcrumb.tsx';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useFormats, useNow } from '../../ui/useFormats.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { When } from '../../ui/When.tsx';
import './history.css';

const DAY_MS = 24 * 3600_000;
/** Changes of a commit shown before the rest is asked for. */
const CHANGES_SHOWN = 8;

const CODE_CLASS = { A: 'badge badge--accent', M: 'badge badge--info', D: 'badge badge--danger' } as const;

interface PlaceProps {
  readonly library: string;
  readonly shelfId: string;
}

function Change({ change, library, shelfId }: PlaceProps & { readonly change: CommitChange }) {
  const { t } = useTranslation();
  const labels = { A: t('codes.added'), M: t('codes.modified'), D: t('codes.deleted') } as const;
  return (
    <li className="change">
      <span className={CODE_CLASS[change.code]}>{labels[change.code]}</span>
      <FileIcon name={change.name} />
      {change.version_id === null ? (
        <span className="change__name change__name--deleted">{change.name}</span>
      ) : (
        <Link href={paths.version(library, shelfId, change.version_id)} className="change__name">
          {change.name}
        </Link>
      )}
      {change.version_number !== null && (
        <span className="muted">{t('common.version', { number: change.version_number })}</span>
      )}
    </li>
  );
}

function CommitCard({ commit, library, shelfId }: PlaceProps & { readonly commit: Commit }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const short = commit.hash.slice(0, LIMITS.commitHashShown);
  const shown = isOpen ? commit.changes : commit.changes.slice(0, CHANGES_SHOWN);
  const hidden = commit.changes.length - shown.length;
  const copy = () => {
    navigator.clipboard.writeText(commit.hash).then(
      () => notify(t('common.copied')),
      () => notify(t('errors.internal'), 'error'),
    );
  };
  return (
    <li className="commit card">
      <header className="commit__head">
        <Avatar name={commit.author} large />
        <div className="commit__text">
          <h3 className="commit__message">{commit.message || <span className="muted">{t('shelf.noMessage')}</span>}</h3>
          <p className="commit__facts">
            <span>{commit.author}</span>
            <When moment={commit.created_at} />
            <span>{t('history.changes', { count: commit.changes.length })}</span>
          </p>
        </div>
        <button
          type="button"
          className="button button--small commit__hash"
          aria-label={t('history.copyHash', { hash: short })}
          onClick={copy}
        >
          <span className="mono">{short}</span>
          <Copy />
        </button>
      </header>
      <ul className="commit__changes">
        {shown.map((change) => (
          <Change key={change.document_id} change={change} library={library} shelfId={shelfId} />
        ))}
      </ul>
      {hidden > 0 && (
        <button type="button" className="button button--quiet button--small" onClick={() => setOpen(true)}>
          {t('history.showAll', { count: hidden })}
        </button>
      )}
    </li>
  );
}

function useDayName(): (moment: string) => string {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const now = useNow();
  return (moment) => {
    const day = dayKey(moment);
    if (day === dayKey(now)) return t('history.today');
    if (day === dayKey(now - DAY_MS)) return t('history.yesterday');
    return new Intl.DateTimeFormat(locale, { dateStyle: 'full' }).format(new Date(moment));
  };
}

function byDay(commits: readonly Commit[]): readonly (readonly [string, readonly Commit[]])[] {
  const days = new Map<string, Commit[]>();
  for (const commit of commits) {
    const day = dayKey(commit.created_at);
    const list = days.get(day);
    if (list === undefined) days.set(day, [commit]);
    else list.push(commit);
  }
  return [...days];
}

/** The history of a shelf: commits as a timeline by day. */
export function HistoryPage({ library, shelfId }: PlaceProps) {
  const { t } = useTranslation();
  const dayName = useDayName();
  const { data: shelfData } = useShelf(library, shelfId);
  const { data, error, isPending, isLoadingError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useCommits(library, shelfId);
  const shelf = shelfData?.shelf;
  useTitle(shelf === undefined ? t('history.title') : `${t('history.title')} · ${shelf.name}`);

  if (isAppError(error, 'not-found')) {
    return (
      <EmptyState icon={SearchX} title={t('library.shelfNotFoundTitle')} text={t('library.notFoundText')} level={1} />
    );
  }
  const commits = data?.pages.flatMap((page) => page.commits) ?? [];
  const count = data?.pages[0]?.count ?? 0;
  return (
    <div className="page page--prose">
      <header className="history__head">
        <Breadcrumb
          steps={[
            { name: shelf?.library ?? library, href: paths.library(library) },
            { name: shelf?.name ?? '…', href: paths.shelf(library, shelfId) },
          ]}
        />
        <div className="page__head">
          <h1 className="page__title serif">{t('history.title')}</h1>
          {count > 0 && <span className="muted">{t('history.commits', { count })}</span>}
        </div>
      </header>
      {isPending ? (
        <LoadingRows rows={5} />
      ) : isLoadingError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : commits.length === 0 ? (
        <div className="card">
          <EmptyState icon={History} title={t('history.emptyTitle')} text={t('history.emptyText')} />
        </div>
      ) : (
        <>
          <ol className="timeline">
            {byDay(commits).map(([day, list]) => (
              <li key={day} className="timeline__day">
                <h2 className="timeline__date">{dayName(list[0]?.created_at ?? day)}</h2>
                <ul className="timeline__commits">
                  {list.map((commit) => (
                    <CommitCard key={commit.hash} commit={commit} library={library} shelfId={shelfId} />
                  ))}
                </ul>
              </li>
            ))}
          </ol>
          {hasNextPage && (
            <button
              type="button"
              className="button history__more"
              onClick={() => void fetchNextPage()}
              disabled={isFetchingNextPage}
            >
              {t('history.more')}
            </button>
          )}
        </>
      )}
    </div>
  );
}
