import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../../shared/api/index.ts';
import type { ShelfDocument } from '../../../shared/model/library.ts';
import { queryKeys } from '../../api/queries.ts';
import type { ShelfData } from '../../api/shelfChanges.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { ItemOutcome } from '../../ui/OutcomeDialog.tsx';
import { outcomeText } from '../../ui/outcomeText.ts';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useVersionActions, type VersionActions } from '../../ui/versions/useVersionActions.ts';

/** What can be done with the documents of a shelf. Lists follow; what fails is told in a toast, unless it says otherwise. */
export interface DocumentActions extends Pick<VersionActions, 'restore' | 'label' | 'refresh'> {
  /** @throws AppError, for the field in which the name was typed. */
  readonly rename: (document: ShelfDocument, name: string) => Promise<void>;
  /** Puts documents in the trash, each by a commit, and says of each what became of it. */
  readonly remove: (documents: readonly ShelfDocument[]) => Promise<readonly ItemOutcome[]>;
  /** Brings back what was just put in the trash. */
  readonly bringBack: (documents: readonly ItemOutcome[]) => Promise<readonly ItemOutcome[]>;
  readonly checkOut: (document: ShelfDocument) => Promise<void>;
  readonly giveBack: (document: ShelfDocument) => Promise<void>;
}

/** The actions of one shelf. */
export function useDocumentActions(shelfId: string): DocumentActions {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const { attempt, label, refresh, restore } = useVersionActions(shelfId);
  return useMemo(() => {
    const key = queryKeys.shelf(shelfId);
    const change = (edit: (documents: ShelfData['documents']) => ShelfData['documents']) =>
      queries.setQueryData<ShelfData>(key, (data) => data && { ...data, documents: edit(data.documents) });

    async function rename({ id, name: before }: ShelfDocument, name: string): Promise<void> {
      await queries.cancelQueries({ queryKey: key });
      const give = (given: string) =>
        change((documents) => documents.map((each) => (each.id === id ? { ...each, name: given } : each)));
      give(name);
      try {
        await client.call(api.documents.rename, { params: { id }, body: { name } });
      } catch (error) {
        give(before);
        throw error;
      }
      const undo = () =>
        void attempt(() => client.call(api.documents.rename, { params: { id }, body: { name: before } }));
      notify(t('files.renamed', { name }), 'success', { label: t('files.undo'), run: undo });
      await refresh();
    }

    async function removeOne({ id, name, current_version }: ShelfDocument): Promise<ItemOutcome> {
      try {
        await client.call(api.documents.remove, { params: { id }, body: { base_version: current_version } });
        return { id, name, problem: null };
      } catch (error) {
        return { id, name, problem: errorText(error) };
      }
    }

    async function remove(documents: readonly ShelfDocument[]): Promise<readonly ItemOutcome[]> {
      await queries.cancelQueries({ queryKey: key });
      const outcomes = [];
      for (const document of documents) outcomes.push(await removeOne(document));
      const gone = new Set(outcomes.filter(({ problem }) => problem === null).map(({ id }) => id));
      change((all) => all.filter(({ id }) => !gone.has(id)));
      return outcomes;
    }

    async function bringBack(documents: readonly ItemOutcome[]): Promise<readonly ItemOutcome[]> {
      const ids = documents.map(({ id }) => id);
      const { outcomes } = await client.call(api.trash.restoreMany, { body: { ids } });
      return outcomes.map(({ id, code }, index) => ({
        id,
        name: documents[index]?.name ?? '',
        problem: code === null ? null : outcomeText(t, code),
      }));
    }

    return {
      restore,
      label,
      refresh,
      rename,
      remove,
      bringBack,
      checkOut: ({ id, name }) =>
        attempt(async () => {
          await client.call(api.documents.lock, { params: { id }, body: {} });
          notify(t('files.checkedOut', { name }));
        }),
      giveBack: ({ id, name }) =>
        attempt(async () => {
          await client.call(api.documents.unlock, { params: { id } });
          notify(t('files.givenBack', { name }));
        }),
    };
  }, [shelfId, t, client, queries, errorText, attempt, label, refresh, restore]);
}
