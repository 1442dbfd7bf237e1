import { useRef, useState } from 'react';
import type { Shelf, ShelfDocument } from '../../../shared/model/library.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { splitName } from '../../ui/fileKind.ts';
import type { ItemOutcome } from '../../ui/OutcomeDialog.tsx';
import { notify } from '../../ui/toast.ts';
import { type BatchProgress, useBatch } from '../../ui/useBatch.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import type { DocumentActions } from './documentActions.ts';
import { downloadDocument, downloadShelf, downloadZip, ZIP_MOST } from './zip.ts';

/** Each is a commit of its own: so few, that the bar moves and cancelling takes hold at once. */
const DELETED_AT_ONCE = 5;
const BROUGHT_BACK_AT_ONCE = 20;

export interface Removal {
  readonly progress: BatchProgress | null;
  /** Puts documents in the trash and offers to bring them back; what could not be done is reported. */
  readonly remove: (documents: readonly ShelfDocument[]) => Promise<void>;
}

/** Deleting one document or many. `onReport` is told when of many some were not changed. */
export function useRemoval(
  actions: DocumentActions,
  onReport: (title: string, outcomes: readonly ItemOutcome[]) => void,
): Removal {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const batch = useBatch();

  const bringBack = async (gone: readonly ItemOutcome[]) => {
    try {
      const outcomes = await batch.run(gone, BROUGHT_BACK_AT_ONCE, actions.bringBack);
      if (outcomes.some(({ problem }) => problem !== null)) onReport(t('files.restoreReport'), outcomes);
    } catch (error) {
      notify(errorText(error), 'error');
    }
    await actions.refresh();
  };
  const remove = async (documents: readonly ShelfDocument[]) => {
    const outcomes = await batch.run(documents, DELETED_AT_ONCE, actions.remove);
    const gone = outcomes.filter(({ problem }) => problem === null);
    if (gone.length > 0) {
      notify(t('files.deleted', { count: gone.length, name: splitName(gone[0]?.name ?? '').base }), 'success', {
        label: t('files.undo'),
        run: () => void bringBack(gone),
      });
    }
    const [first] = outcomes;
    if (documents.length > 1 && gone.length < outcomes.length) onReport(t('files.deleteReport'), outcomes);
    else if (first !== undefined && first.problem !== null) notify(first.problem, 'error');
    await actions.refresh();
  };
  return { progress: batch.progress, remove };
}

export interface Download {
  /** The server is putting files together, which can be given up. */
  readonly isWaiting: boolean;
  readonly start: (documents: readonly ShelfDocument[]) => Promise<void>;
  readonly cancel: () => void;
}

/** Downloads one document as it is, and several as a ZIP. */
export function useDownload(library: string, shelf: Shelf): Download {
  const { t } = useTranslation();
  const { client } = useServices();
  const errorText = useErrorText();
  const controller = useRef<AbortController | null>(null);
  const [isWaiting, setWaiting] = useState(false);

  const receive = async (documents: readonly ShelfDocument[]) => {
    const present = new AbortController();
    controller.current = present;
    setWaiting(true);
    try {
      const ids = documents.map(({ id }) => id);
      await downloadZip(client, ids, shelf.name, present.signal);
    } catch (error) {
      if (!present.signal.aborted) notify(errorText(error), 'error');
    } finally {
      setWaiting(false);
    }
  };
  const start = async (documents: readonly ShelfDocument[]) => {
    const [first] = documents;
    if (first === undefined) return;
    if (documents.length === 1) downloadDocument(first.id, splitName(first.name).base);
    else if (documents.length === shelf.document_count) downloadShelf(library, shelf.id, shelf.name);
    else if (documents.length > ZIP_MOST) notify(t('files.zipTooMany', { most: ZIP_MOST }), 'warning');
    else await receive(documents);
  };
  return { isWaiting, start, cancel: () => controller.current?.abort() };
}
