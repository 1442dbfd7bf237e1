import { FolderSearch, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ConflictAction, type WorkspaceDocument } from '../../../../shared/model/workspace.ts';
import { useVersion } from '../../../api/queries.ts';
import { paths } from '../../../app/routes.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { FileIcon } from '../../../ui/FileIcon.tsx';
import { splitName } from '../../../ui/fileKind.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import type { Formats } from '../../../ui/useFormats.ts';
import { Moment, When } from '../../../ui/When.tsx';
import { isCommittable, isDiscardable } from './summary.ts';

/** The ways to settle a conflict with this document; where it was deleted here there is nothing to keep beside it. */
export function choicesFor({ size }: WorkspaceDocument): readonly ConflictAction[] {
  return size === null ? ConflictAction.options.filter((action) => action !== 'keep-both') : ConflictAction.options;
}

const BADGES: Readonly<Partial<Record<WorkspaceDocument['code'], string>>> = {
  A: 'badge badge--accent',
  M: 'badge badge--info',
  D: 'badge badge--warning',
  C: 'badge badge--danger',
};

/** Of a name that is cut, its end stays: kinds and numbers stand there. */
const END = 12;
function parted(base: string): { readonly start: string; readonly end: string } {
  const letters = [...base];
  return { start: letters.slice(0, -END).join(''), end: letters.slice(-END).join('') };
}

/** What can be done with the row of a document. */
export interface ChangeRowActions {
  readonly toggle: (name: string) => void;
  readonly resolve: (name: string, action: ConflictAction) => void;
  readonly discard: (names: readonly string[]) => void;
  readonly show: (name: string) => void;
}

export interface ChangeRowProps {
  readonly document: WorkspaceDocument;
  readonly library: string;
  readonly shelfId: string;
  readonly formats: Formats;
  readonly isTicked: boolean;
  /** Whether the shelf may be written to at all. */
  readonly isWritable: boolean;
  /** Nothing may be done while something is under way. */
  readonly isBusy: boolean;
  readonly actions: ChangeRowActions;
}

/** What is on the shelf instead: its number, who made it and when, and the way to it. */
function Theirs({ document, library, shelfId }: Pick<ChangeRowProps, 'document' | 'library' | 'shelfId'>) {
  const { t } = useTranslation();
  const { current_version_id: versionId, remoteVersionNumber: number, deleted_there } = document;
  const { data: version } = useVersion(versionId ?? '', versionId !== null && !deleted_there);
  if (deleted_there || versionId === null || number === null) {
    return <span className="local-change__fact">{t('checkouts.deletedThere')}</span>;
  }
  return (
    <>
      <span className="local-change__fact">
        <Link href={paths.version(library, shelfId, versionId)} className="text-link">
          {t('checkouts.theirs', { number })}
        </Link>
      </span>
      {version !== undefined && (
        <>
          <span className="local-change__fact">{t('checkouts.by', { name: version.author })}</span>
          <span className="local-change__fact">
            <When moment={version.created_at} />
          </span>
        </>
      )}
    </>
  );
}

function Facts({
  document,
  formats,
  children,
}: Pick<ChangeRowProps, 'document' | 'formats'> & { children?: ReactNode }) {
  const { t } = useTranslation();
  const { code, size, modified_at, reason, locked_by, deleted_there } = document;
  return (
    <span className="local-change__facts muted">
      <span className="local-change__fact">
        {code === 'C' && size === null ? t('checkouts.deletedHere') : t(`checkouts.codes.${code}`)}
      </span>
      {size !== null && <span className="local-change__fact nowrap">{formats.size(size)}</span>}
      {modified_at !== null && (
        <span className="local-change__fact">
          <Moment moment={modified_at} formats={formats} />
        </span>
      )}
      {children}
      {code !== 'C' && deleted_there && <span className="local-change__fact">{t('checkouts.putBack')}</span>}
      {locked_by !== null && (
        <span className="local-change__fact local-change__fact--warning">
          {t('checkouts.lockedBy', { name: locked_by })}
        </span>
      )}
      {reason !== null && (
        <span className="local-change__fact local-change__fact--warning">{t(`checkouts.reasons.${reason}`)}</span>
      )}
    </span>
  );
}

/** A document that is not the same here and on the shelf, with what can be done about it. */
export function ChangeRow(props: ChangeRowProps) {
  const { document, library, shelfId, formats, isTicked, isWritable, isBusy, actions } = props;
  const { t } = useTranslation();
  const { name, code, size } = document;
  const { folder, base } = splitName(name);
  const { start, end } = parted(base);
  const words = t(`checkouts.codes.${code}`);
  const isConflict = code === 'C';
  return (
    <>
      <span className="check local-change__check">
        {isWritable && isDiscardable(document) && (
          <input
            type="checkbox"
            aria-label={t('checkouts.tick', { name })}
            checked={isTicked && isCommittable(document)}
            disabled={isBusy || !isCommittable(document)}
            onChange={() => actions.toggle(name)}
          />
        )}
      </span>
      <abbr className={`${BADGES[code] ?? 'badge'} local-change__code mono`} title={words}>
        {code}
      </abbr>
      <FileIcon name={name} />
      <span className="local-change__text">
        <span className="local-change__name" title={name}>
          {folder !== '' && <span className="local-change__folder muted">{folder}</span>}
          <span className="local-change__base">{start}</span>
          <span className="local-change__end">{end}</span>
        </span>
        <Facts document={document} formats={formats}>
          {isConflict && <Theirs document={document} library={library} shelfId={shelfId} />}
        </Facts>
        {isConflict && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a line
          <span className="local-change__choices" role="group" aria-label={t('checkouts.choicesFor', { name })}>
            {choicesFor(document).map((action) => (
              <button
                key={action}
                type="button"
                className="button button--small"
                title={t(`checkouts.explained.${action}`)}
                disabled={isBusy || (!isWritable && action === 'keep-mine')}
                onClick={() => actions.resolve(name, action)}
              >
                {t(`checkouts.choices.${action}`)}
              </button>
            ))}
          </span>
        )}
      </span>
      <span className="local-change__actions">
        {size !== null && (
          <IconButton label={t('checkouts.showInFolder', { name: base })} onClick={() => actions.show(name)}>
            <FolderSearch />
          </IconButton>
        )}
        {isDiscardable(document) && (
          <IconButton
            label={t('checkouts.discardOf', { name: base })}
            disabled={isBusy}
            onClick={() => actions.discard([name])}
          >
            <Undo2 />
          </IconButton>
        )}
      </span>
    </>
  );
}
