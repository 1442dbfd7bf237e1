import { useQuery } from '@tanstack/react-query';
import { Columns2, Equal, FileQuestionMark, Rows2, SearchX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { fillPath } from '../../../shared/api/call.ts';
import { STREAM_ROUTES } from '../../../shared/api/documents.ts';
import { api } from '../../../shared/api/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import type { Comparison } from '../../../shared/model/compare.ts';
import type { Version } from '../../../shared/model/library.ts';
import { useDocumentHistory } from '../../api/queries.ts';
import { paths } from '../../app/routes.ts';
import { useServices } from '../../app/services.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Breadcrumb } from '../../ui/Breadcrumb.tsx';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { splitName } from '../../ui/fileKind.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useFormats } from '../../ui/useFormats.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { When } from '../../ui/When.tsx';
import { DiffTable } from './DiffTable.tsx';
import type { DiffView } from './diffRows.ts';
import './compare.css';

const CONTEXT = 3;
const ALL_LINES = 100_000;
/** Two columns of text need this much room. */
const WIDE = '(width >= 840px)';

interface SideProps {
  readonly label: string;
  readonly version: Version;
  readonly versions: readonly Version[];
  readonly address: string;
  readonly onChoose: (versionId: string) => void;
}

/** One of the two versions: which, by whom and when, and another to choose in its place. */
function VersionSide({ label, version, versions, address, onChoose }: SideProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const nameOf = ({ number, label: given, created_at }: Version) =>
    given === null
      ? t('files.compareOption', { number, when: formats.dateTime(created_at) })
      : t('files.compareOptionLabel', { number, label: given });
  const others = versions.some(({ id }) => id === version.id) ? versions : [version, ...versions];
  return (
    <div className="compare__side card">
      <select
        className="input select compare__choice"
        aria-label={label}
        value={version.id}
        onChange={(event) => onChoose(event.target.value)}
      >
        {others.map((each) => (
          <option key={each.id} value={each.id}>
            {nameOf(each)}
          </option>
        ))}
      </select>
      <p className="compare__message">{version.commit_message || t('shelf.noMessage')}</p>
      <p className="compare__facts muted">
        <Avatar name={version.author} />
        <span className="truncated">{version.author}</span>
        <When moment={version.created_at} />
        <span className="nowrap">{formats.size(version.size)}</span>
        <Link href={address} className="text-link">
          {t('files.open')}
        </Link>
      </p>
    </div>
  );
}

/** Both contents, for what cannot be compared here. */
function NotComparable({ comparison }: { readonly comparison: Comparison }) {
  const { t } = useTranslation();
  return (
    <EmptyState icon={FileQuestionMark} title={t('files.notComparable')} text={t('files.notComparableText')}>
      {[comparison.base, comparison.other].map(({ id, number, document_name }) => (
        <a
          key={id}
          className="button"
          href={fillPath(STREAM_ROUTES.versionDownload, { id })}
          download={splitName(document_name).base}
        >
          {t('files.downloadVersion', { number })}
        </a>
      ))}
    </EmptyState>
  );
}

/** What the pages are called on which something changed, in either version. */
function changedPages({ base_pages, other_pages, base_pages_changed, pages_changed }: Comparison): readonly string[] {
  const names = (pages: readonly string[], changed: readonly number[]) =>
    changed.flatMap((page) => pages[page - 1] ?? []);
  return [...new Set([...names(other_pages, pages_changed), ...names(base_pages, base_pages_changed)])];
}

interface ResultProps {
  readonly comparison: Comparison;
  readonly find: string;
  readonly isWhole: boolean;
  readonly onWhole: (isWhole: boolean) => void;
}

function Result({ comparison, find, isWhole, onWhole }: ResultProps) {
  const { t } = useTranslation();
  const [view, setView] = useState<DiffView>(() => (matchMedia(WIDE).matches ? 'side-by-side' : 'inline'));
  const { added, removed } = comparison;
  const pages = changedPages(comparison);
  const views = [
    { kind: 'side-by-side', label: t('files.sideBySide'), Icon: Columns2 },
    { kind: 'inline', label: t('files.inline'), Icon: Rows2 },
  ] as const;
  return (
    <>
      {comparison.coarse && <p className="notice">{t('files.coarse')}</p>}
      {comparison.truncated && <p className="notice notice--warning">{t('files.truncated')}</p>}
      {pages.length > 0 && (
        <ul className="compare__pages" aria-label={t('files.pagesChanged')}>
          {pages.map((page) => (
            <li key={page} className="badge badge--info">
              {page}
            </li>
          ))}
        </ul>
      )}
      <DiffTable comparison={comparison} view={view} find={find}>
        <span className="compare__added">{t('files.linesAdded', { count: added })}</span>
        <span className="compare__removed">{t('files.linesRemoved', { count: removed })}</span>
        <label className="check compare__whole">
          <input type="checkbox" checked={isWhole} onChange={(event) => onWhole(event.target.checked)} />
          {t('files.allLines')}
        </label>
        <fieldset className="compare__views" aria-label={t('files.view')}>
          {views.map(({ kind, label, Icon }) => (
            <button
              key={kind}
              type="button"
              className="icon-button"
              aria-pressed={view === kind}
              aria-label={label}
              title={label}
              onClick={() => setView(kind)}
            >
              <Icon />
            </button>
          ))}
        </fieldset>
      </DiffTable>
    </>
  );
}

export interface ComparePageProps {
  readonly library: string;
  readonly shelfId: string;
  readonly versionId: string;
  /** The version that it is compared with, as a rule an earlier one. */
  readonly earlierId: string;
  /** What a search found in one of them. */
  readonly find: string;
}

/** What changed in a document's text from one version to another. */
export function ComparePage({ library, shelfId, versionId, earlierId, find }: ComparePageProps) {
  const { t } = useTranslation();
  const { client } = useServices();
  const [isWhole, setWhole] = useState(false);
  const context = isWhole ? ALL_LINES : CONTEXT;
  const { data, error, isPending, isLoadingError, refetch } = useQuery({
    queryKey: ['version', versionId, 'compare', earlierId, context],
    queryFn: ({ signal }) =>
      client.call(
        api.compare.versions,
        { params: { id: earlierId, other: versionId }, query: { context } },
        { signal },
      ),
    // Versions never change: what was compared once stays true.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5 * 60_000,
    placeholderData: (before) => (before?.base.id === earlierId && before.other.id === versionId ? before : undefined),
  });
  const { data: versions = [] } = useDocumentHistory(data?.other.document_id);
  const name = data?.other.document_name ?? '';
  useTitle(data === undefined ? t('files.compare') : t('files.compareTitle', { name: splitName(name).base }));
  if (isAppError(error, 'not-found') || isAppError(error, 'bad-request')) {
    return <EmptyState icon={SearchX} title={t('notFound.title')} text={t('errors.not-found')} level={1} />;
  }
  if (isPending) {
    return (
      <div className="page">
        <LoadingRows rows={10} shape="text" />
      </div>
    );
  }
  if (isLoadingError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const { base, other } = data;
  const { folder, base: file } = splitName(name);
  const choose = (from: string, to: string) => navigate(paths.compare(library, shelfId, to, from), { replace: true });
  return (
    <div className="page">
      <header className="compare__head">
        <Breadcrumb
          steps={[
            { name: other.library, href: paths.library(other.library) },
            { name: other.shelf, href: paths.shelf(other.library, other.shelf_id) },
            { name: t('history.title'), href: paths.commits(other.library, other.shelf_id) },
          ]}
        />
        <div className="page__titles">
          <FileIcon name={name} />
          <h1 className="page__title serif">
            {folder !== '' && <span className="compare__folder">{folder}</span>}
            {file}
          </h1>
        </div>
      </header>
      <div className="compare__sides">
        <VersionSide
          label={t('files.compareBase')}
          version={base}
          versions={versions}
          address={paths.version(base.library, base.shelf_id, base.id)}
          onChoose={(id) => choose(id, other.id)}
        />
        <VersionSide
          label={t('files.compareOther')}
          version={other}
          versions={versions}
          address={paths.version(other.library, other.shelf_id, other.id)}
          onChoose={(id) => choose(base.id, id)}
        />
      </div>
      {data.identical ? (
        <div className="card">
          <EmptyState icon={Equal} title={t('files.identical')} text={t('files.identicalText')} />
        </div>
      ) : data.unavailable !== null ? (
        <div className="card">
          <NotComparable comparison={data} />
        </div>
      ) : data.changes.length === 0 ? (
        <div className="card">
          <EmptyState icon={Equal} title={t('files.sameText')} text={t('files.sameTextText')} />
        </div>
      ) : (
        <Result comparison={data} find={find} isWhole={isWhole} onWhole={setWhole} />
      )}
    </div>
  );
}
