import { Equal } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { isAppError } from '../../../shared/errors.ts';
import { loadCode } from '../../api/loadCode.ts';
import { useDocumentHistory, useVersion } from '../../api/queries.ts';
import { navigate } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Breadcrumb } from '../../ui/Breadcrumb.tsx';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { splitName } from '../../ui/fileKind.ts';
import { Missing } from '../../ui/Missing.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useTitle } from '../../ui/useTitle.ts';
import type { VersionPair } from './comparisons.ts';
import { type CompareView, compareViews } from './kinds.ts';
import { TextCompare } from './TextCompare.tsx';
import { VersionSide } from './VersionSide.tsx';
import './compare.css';

const TableCompare = lazy(async () => ({
  default: await loadCode(async () => (await import('./table/TableCompare.tsx')).TableCompare),
}));
const PictureCompare = lazy(async () => ({
  default: await loadCode(async () => (await import('./picture/PictureCompare.tsx')).PictureCompare),
}));
const PagesCompare = lazy(async () => ({
  default: await loadCode(async () => (await import('./picture/PagesCompare.tsx')).PagesCompare),
}));

interface BodyProps {
  readonly pair: VersionPair;
  readonly find: string;
}

function Compared({ view, pair, find }: BodyProps & { readonly view: CompareView }) {
  switch (view) {
    case 'table':
      return <TableCompare pair={pair} />;
    case 'pages':
      return <PagesCompare pair={pair} />;
    case 'picture':
      return <PictureCompare pair={pair} />;
    default:
      return <TextCompare pair={pair} find={find} />;
  }
}

/** What the two differ in, in one of the ways that their kinds have. */
function Body({ pair, find }: BodyProps) {
  const { t } = useTranslation();
  const views = compareViews(pair.base.document_name, pair.other.document_name);
  // What a search found is a text.
  const [chosen, setChosen] = useState<CompareView | null>(find === '' ? null : 'text');
  const view = views.find((each) => each === chosen) ?? views[0] ?? 'text';
  if (pair.base.sha256 === pair.other.sha256) {
    return (
      <div className="card">
        <EmptyState icon={Equal} title={t('files.identical')} text={t('files.identicalText')} />
      </div>
    );
  }
  return (
    <>
      {views.length > 1 && (
        <Segments
          label={t('compare.view')}
          value={view}
          options={views.flatMap((value) =>
            value === 'picture' ? [] : [{ value, label: t(`compare.view_${value}`) }],
          )}
          onChange={setChosen}
        />
      )}
      <Suspense fallback={<LoadingRows rows={8} shape="text" />}>
        <Compared view={view} pair={pair} find={find} />
      </Suspense>
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

/** What changed in a document from one version to another. */
export function ComparePage({ library, shelfId, versionId, earlierId, find }: ComparePageProps) {
  const { t } = useTranslation();
  const earlier = useVersion(earlierId);
  const later = useVersion(versionId);
  const { data: versions = [] } = useDocumentHistory(later.data?.document_id);
  const name = later.data?.document_name ?? '';
  useTitle(name === '' ? t('files.compare') : t('files.compareTitle', { name: splitName(name).base }));
  const error = earlier.error ?? later.error;
  if (isAppError(error, 'not-found') || isAppError(error, 'bad-request')) {
    return <Missing title={t('version.missing')} text={t('errors.not-found')} />;
  }
  if (earlier.data === undefined || later.data === undefined) {
    const retry = () => void Promise.all([earlier.refetch(), later.refetch()]);
    return error === null ? (
      <div className="page">
        <LoadingRows rows={10} shape="text" />
      </div>
    ) : (
      <ErrorState error={error} onRetry={retry} />
    );
  }
  const pair = { base: earlier.data, other: later.data };
  const { base, other } = pair;
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
      <Body key={`${base.id} ${other.id}`} pair={pair} find={find} />
    </div>
  );
}
