import { Download, Ellipsis, GitCompareArrows, MessageSquare, RotateCcw, Tag } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { fillPath } from '../../../shared/api/call.ts';
import { STREAM_ROUTES } from '../../../shared/api/documents.ts';
import type { Version } from '../../../shared/model/library.ts';
import { useComments } from '../../api/comments.ts';
import { useDocumentHistory } from '../../api/queries.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { splitName } from '../../ui/fileKind.ts';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { moveFocus } from '../../ui/moveFocus.ts';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useFormats } from '../../ui/useFormats.ts';
import { LabelField } from '../../ui/versions/LabelField.tsx';
import { useVersionActions, type VersionActions } from '../../ui/versions/useVersionActions.ts';
import { When } from '../../ui/When.tsx';

/** Of a long history, the newest, and so many more at a time. */
const FIRST = 6;
const PAGE = 30;

interface Shelf {
  readonly library: string;
  readonly shelfId: string;
  readonly canWrite: boolean;
}

interface ItemProps extends Shelf {
  readonly version: Version;
  readonly previous: Version | undefined;
  /** The version that the page shows. */
  readonly shown: Version;
  readonly comments: number;
  readonly actions: VersionActions;
  readonly onRestore: () => void;
}

/** All that can be done with a version. */
function VersionMenu({
  version,
  previous,
  shown,
  library,
  shelfId,
  canWrite,
  onName,
  onRestore,
}: Omit<ItemProps, 'comments' | 'actions'> & { readonly onName: () => void }) {
  const { t } = useTranslation();
  const { id, number } = version;
  const isShown = id === shown.id;
  const [earlier, later] = number < shown.number ? [version, shown] : [shown, version];
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="icon-button versions__menu"
          aria-label={t('compare.versionActions', { number })}
        >
          <Ellipsis />
        </button>
      }
    >
      {!isShown && (
        <MenuItem asChild>
          <Link href={paths.compare(library, shelfId, later.id, earlier.id)}>
            <GitCompareArrows aria-hidden="true" />
            {t('compare.compareShown', { number: shown.number })}
          </Link>
        </MenuItem>
      )}
      {previous !== undefined && previous.id !== shown.id && (
        <MenuItem asChild>
          <Link href={paths.compare(library, shelfId, id, previous.id)}>
            <GitCompareArrows aria-hidden="true" />
            {t('compare.compareBefore')}
          </Link>
        </MenuItem>
      )}
      <MenuItem asChild>
        <Link href={`${paths.version(library, shelfId, id)}#version-comments`}>
          <MessageSquare aria-hidden="true" />
          {t('compare.comment')}
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <a href={fillPath(STREAM_ROUTES.versionDownload, { id })} download={splitName(version.document_name).base}>
          <Download aria-hidden="true" />
          {t('common.download')}
        </a>
      </MenuItem>
      {canWrite && (
        <MenuItem onSelect={onName}>
          <Tag aria-hidden="true" />
          {t('compare.nameVersion')}
        </MenuItem>
      )}
      {canWrite && !version.is_current && (
        <MenuItem onSelect={onRestore}>
          <RotateCcw aria-hidden="true" />
          {t('compare.restoreVersion')}
        </MenuItem>
      )}
    </Menu>
  );
}

function VersionItem(props: ItemProps) {
  const { version, shown, library, shelfId, comments, actions } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const [isNaming, setNaming] = useState(false);
  return (
    <li className="versions__row">
      <Link
        href={paths.version(library, shelfId, version.id)}
        className="versions__item"
        aria-current={version.id === shown.id ? 'page' : undefined}
        data-roving=""
      >
        <span className="versions__line versions__line--first">
          <strong>{t('version.heading', { number: version.number })}</strong>
          {version.is_current && <span className="badge badge--accent">{t('version.current')}</span>}
          {version.label !== null && (
            <span className="badge badge--info versions__label" title={version.label}>
              <Tag aria-hidden="true" />
              <span className="truncated">{version.label}</span>
            </span>
          )}
        </span>
        <span className="versions__message truncated">{version.commit_message || t('shelf.noMessage')}</span>
        <span className="versions__line muted">
          <Avatar name={version.author} />
          <span className="truncated">{version.author}</span>
          <span className="nowrap">{formats.size(version.size)}</span>
          {comments > 0 && (
            <span className="versions__comments">
              <MessageSquare aria-hidden="true" />
              <span aria-hidden="true">{formats.number(comments)}</span>
              <span className="visually-hidden">{t('compare.comments', { count: comments })}</span>
            </span>
          )}
          <When moment={version.created_at} />
        </span>
      </Link>
      <VersionMenu {...props} onName={() => setNaming(true)} />
      {isNaming && (
        <LabelField
          version={version}
          onClose={() => setNaming(false)}
          onSave={(label) => {
            setNaming(false);
            void actions.label(version, label);
          }}
        />
      )}
    </li>
  );
}

/** How many comments were written on each version. */
function useCommentCounts(library: string, shelfId: string, documentId: string): ReadonlyMap<string, number> {
  const { data } = useComments(library, shelfId, documentId);
  return useMemo(() => {
    const counts = new Map<string, number>();
    for (const { version_id } of data?.pages.flatMap(({ comments }) => comments) ?? []) {
      if (version_id !== null) counts.set(version_id, (counts.get(version_id) ?? 0) + 1);
    }
    return counts;
  }, [data]);
}

interface ListProps extends Shelf {
  readonly versions: readonly Version[];
  readonly shown: Version;
}

function VersionList({ versions, shown, library, shelfId, canWrite }: ListProps) {
  const { t } = useTranslation();
  const actions = useVersionActions(shelfId);
  const comments = useCommentCounts(library, shelfId, shown.document_id);
  const [restored, setRestored] = useState<Version | null>(null);
  // The version that the page shows is always among those that are listed.
  const [most, setMost] = useState(FIRST);
  const listed = Math.max(most, versions.findIndex(({ id }) => id === shown.id) + 1);
  const left = versions.length - listed;
  const current = versions.find(({ is_current }) => is_current);
  return (
    <>
      <ul className="versions" onKeyDown={moveFocus}>
        {versions.slice(0, listed).map((version, index) => (
          <VersionItem
            key={version.id}
            version={version}
            previous={versions[index + 1]}
            shown={shown}
            library={library}
            shelfId={shelfId}
            canWrite={canWrite}
            comments={comments.get(version.id) ?? 0}
            actions={actions}
            onRestore={() => setRestored(version)}
          />
        ))}
      </ul>
      {left > 0 && (
        <button type="button" className="button button--small" onClick={() => setMost(listed + PAGE)}>
          {t('compare.moreVersions', { count: Math.min(left, PAGE) })}
        </button>
      )}
      {restored !== null && current !== undefined && (
        <ConfirmDialog
          title={t('compare.restoreTitle', { number: restored.number })}
          description={t('compare.restoreText', {
            number: restored.number,
            current: current.number,
            next: current.number + 1,
          })}
          verb={t('compare.restoreVersion')}
          danger={false}
          onConfirm={() => actions.restore(restored, current)}
          onClose={() => setRestored(null)}
        />
      )}
    </>
  );
}

export interface VersionRailProps extends Shelf {
  /** The version that the page shows. */
  readonly version: Version;
}

/** All versions of the document: who made each, when and why; to open, compare, name and restore. */
export function VersionRail({ version, ...shelf }: VersionRailProps) {
  const { t } = useTranslation();
  const { data: versions, error, isPending, isLoadingError, refetch } = useDocumentHistory(version.document_id);
  return (
    <section className="rail__section" aria-labelledby="version-list">
      <h2 id="version-list" className="rail__title">
        {t('version.versions')}
      </h2>
      {isPending ? (
        <LoadingRows rows={3} />
      ) : isLoadingError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <VersionList versions={versions} shown={version} {...shelf} />
      )}
    </section>
  );
}
