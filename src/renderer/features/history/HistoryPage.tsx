import { ChevronDown, Copy, History } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { isAppError } from '../../../shared/errors.ts';
import type { Commit } from '../../../shared/model/library.ts';
import { dayKey } from '../../../shared/rules/format.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { useCommits, useShelf } from '../../api/queries.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Breadcrumb } from '../../ui/Breadcrumb.tsx';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { Missing } from '../../ui/Missing.tsx';
import { moveFocus } from '../../ui/moveFocus.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useFormats, useNow } from '../../ui/useFormats.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { When } from '../../ui/When.tsx';
import { type ShownChange, shownChanges } from './changes.ts';
import './history.css';

const DAY_MS = 24 * 3600_000;
/** Changes of a commit shown before the rest is asked for. */
const CHANGES_SHOWN = 8;

const CODE_CLASS = { A: 'badge badge--accent', M: 'badge badge--info', D: 'badge badge--danger' } as const;

interface PlaceProps {
  readonly library: string;
  readonly shelfId: string;
}

function Change({ shown, library, shelfId }: PlaceProps & { readonly shown: ShownChange }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { change, before } = shown;
  const { code, name, version_id, version_number, previous_version_id, size, previous_size } = change;
  const labels = { A: t('codes.added'), M: t('codes.modified'), D: t('codes.deleted') } as const;
  const isCompared = code === 'M' && version_id !== null && previous_version_id !== null;
  const version = version_id === null ? '' : paths.version(library, shelfId, version_id);
  return (
    <li className="change">
      <span className={before === null ? CODE_CLASS[code] : 'badge'}>
        {before === null ? labels[code] : t('files.renamedBadge')}
      </span>
      <FileIcon name={name} />
      {version_id === null ? (
        <span className="change__name change__name--deleted">{name}</span>
      ) : (
        <Link
          href={isCompared ? paths.compare(library, shelfId, version_id, previous_version_id) : version}
          className="change__name"
        >
          {before === null ? name : t('files.renamedFrom', { before, after: name })}
        </Link>
      )}
      {version_number !== null && (
        <Link href={version} className="change__version" title={t('files.openVersion', { number: version_number })}>
          {t('common.version', { number: version_number })}
        </Link>
      )}
      {isCompared && size !== null && previous_size !== null && (
        <span className="change__size muted">
          {t('files.sizeChange', { before: formats.size(previous_size), after: formats.size(size) })}
        </span>
      )}
    </li>
  );
}

/** What a commit without a message did, in a word. */
function useSummary(): (shown: readonly ShownChange[]) => string {
  const { t } = useTranslation();
  return (shown) => {
    const [first] = shown;
    const codes = new Set(shown.map(({ change }) => change.code));
    if (first === undefined || codes.size !== 1) return t('shelf.noMessage');
    const { code, name } = first.change;
    const words = { count: shown.length, name };
    if (first.before !== null && shown.length === 1)
      return t('files.renamedFrom', { before: first.before, after: name });
    if (code === 'D') return t('files.titleDeleted', words);
    return code === 'A' ? t('files.titleAdded', words) : t('files.titleChanged', words);
  };
}

interface CommitCardProps extends PlaceProps {
  readonly commit: Commit;
  /** Open from the start; the others are opened by their readers. */
  readonly isFirst: boolean;
}

function CommitCard({ commit, isFirst, library, shelfId }: CommitCardProps) {
  const { t } = useTranslation();
  const summary = useSummary();
  const listId = useId();
  const [isOpen, setOpen] = useState(isFirst);
  const [isWhole, setWhole] = useState(false);
  const changes = useMemo(() => shownChanges(commit), [commit]);
  const short = commit.hash.slice(0, LIMITS.commitHashShown);
  const shown = isWhole ? changes : changes.slice(0, CHANGES_SHOWN);
  const hidden = changes.length - shown.length;
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
          <h3 className="commit__message">
            <button
              type="button"
              className="commit__toggle"
              aria-expanded={isOpen}
              aria-controls={isOpen ? listId : undefined}
              onClick={() => setOpen(!isOpen)}
              data-roving=""
            >
              {commit.message || <span className="muted">{summary(changes)}</span>}
            </button>
          </h3>
          <p className="commit__facts">
            <span>{commit.author}</span>
            <When moment={commit.created_at} />
            <span>{t('history.changes', { count: changes.length })}</span>
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
        <ChevronDown className="commit__chevron" data-open={isOpen} aria-hidden="true" />
      </header>
      {isOpen && (
        <ul className="commit__changes" id={listId}>
          {shown.map((each) => (
            <Change key={each.change.document_id} shown={each} library={library} shelfId={shelfId} />
          ))}
        </ul>
      )}
      {isOpen && hidden > 0 && (
        <button type="button" className="button button--quiet button--small" onClick={() => setWhole(true)}>
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

/** The commits of a shelf as a timeline by day. */
export function Timeline({ library, shelfId }: PlaceProps) {
  const { t } = useTranslation();
  const dayName = useDayName();
  const { data, error, isPending, isLoadingError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useCommits(library, shelfId);
  const commits = data?.pages.flatMap((page) => page.commits) ?? [];
  if (isPending) return <LoadingRows rows={5} />;
  if (isLoadingError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (commits.length === 0) {
    return (
      <div className="card">
        <EmptyState icon={History} title={t('history.emptyTitle')} text={t('history.emptyText')} />
      </div>
    );
  }
  return (
    <>
      <ol className="timeline" onKeyDown={moveFocus}>
        {byDay(commits).map(([day, list]) => (
          <li key={day} className="timeline__day">
            <h2 className="timeline__date">{dayName(list[0]?.created_at ?? day)}</h2>
            <ul className="timeline__commits">
              {list.map((commit) => (
                <CommitCard
                  key={commit.hash}
                  commit={commit}
                  isFirst={commit === commits[0]}
                  library={library}
                  shelfId={shelfId}
                />
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
  );
}

/** The history of a shelf, on a screen of its own. */
export function HistoryPage({ library, shelfId }: PlaceProps) {
  const { t } = useTranslation();
  const { data: shelfData } = useShelf(library, shelfId);
  const { data, error } = useCommits(library, shelfId);
  const shelf = shelfData?.shelf;
  useTitle(shelf === undefined ? t('history.title') : `${t('history.title')} · ${shelf.name}`);

  if (isAppError(error, 'not-found')) {
    return <Missing title={t('library.shelfNotFoundTitle')} text={t('library.notFoundText')} />;
  }
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
      <Timeline library={library} shelfId={shelfId} />
    </div>
  );
}
