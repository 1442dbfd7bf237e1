import { useId, useState } from 'react';
import type { Shelf } from '../../../shared/model/library.ts';
import { useLibraries } from '../../api/queries.ts';
import { useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import './desktop.css';

/** Names that are shown; of more the number. */
const SHOWN = 5;

export interface AddFilesDialogProps {
  readonly names: readonly string[];
  readonly onChoose: (shelf: Shelf) => void;
  readonly onClose: () => void;
}

/** Asks onto which shelf files go that were given to the application away from any. */
export function AddFilesDialog({ names, onChoose, onClose }: AddFilesDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const username = useSession(({ user }) => user?.username);
  const { data, error, isPending, isLoadingError, refetch } = useLibraries();
  const canWrite = ({ archived, members }: Shelf) =>
    !archived && members.some((member) => member.username === username && member.role !== 'viewer');
  const libraries = (data ?? [])
    .map(({ name, shelves }) => ({ name, shelves: shelves.filter(canWrite) }))
    .filter(({ shelves }) => shelves.length > 0);
  const shelves = libraries.flatMap((library) => library.shelves);
  const latest = shelves.reduce<Shelf | null>(
    (last, each) => (last === null || each.updated_at > last.updated_at ? each : last),
    null,
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const shelf = shelves.find((each) => each.id === chosen) ?? latest;
  const more = names.length - SHOWN;
  return (
    <Dialog
      title={t('desktop.addFiles', { count: names.length })}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button
            type="button"
            className="button button--primary"
            disabled={shelf === null}
            onClick={() => shelf !== null && onChoose(shelf)}
          >
            {t('desktop.addFilesNext')}
          </button>
        </>
      }
    >
      <ul className="given-files">
        {names.slice(0, SHOWN).map((name) => (
          <li key={name}>
            <FileIcon name={name} />
            <span className="given-files__name">{name}</span>
          </li>
        ))}
        {more > 0 && <li className="muted">{t('desktop.addFilesMore', { count: more })}</li>}
      </ul>
      {isPending ? (
        <LoadingRows rows={1} shape="text" />
      ) : isLoadingError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : shelf === null ? (
        <p className="notice">{t('desktop.addFilesNone')}</p>
      ) : (
        <div className="field">
          <label className="field__label" htmlFor={id}>
            {t('desktop.addFilesTo')}
          </label>
          <select id={id} className="input" value={shelf.id} onChange={(event) => setChosen(event.target.value)}>
            {libraries.map((library) => (
              <optgroup key={library.name} label={library.name}>
                {library.shelves.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.name}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </div>
      )}
    </Dialog>
  );
}
