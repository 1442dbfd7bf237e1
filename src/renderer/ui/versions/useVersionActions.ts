import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../../shared/api/index.ts';
import type { Version } from '../../../shared/model/library.ts';
import { queryKeys } from '../../api/queries.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { notify } from '../toast.ts';
import { useErrorText } from '../useErrorText.ts';

/** What can be done with the versions of a shelf's documents. Lists follow; what fails is told in a toast. */
export interface VersionActions {
  /** Makes an older version the newest one. */
  readonly restore: (version: Version, current: Version) => Promise<void>;
  /** Names a version; null takes the name from it. */
  readonly label: (version: Version, label: string | null) => Promise<void>;
  /** Does something else with documents in the same way. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<void>;
  /** Asks for everything again that a change of the shelf's documents may show in. */
  readonly refresh: () => Promise<void>;
}

/** The actions of one shelf. */
export function useVersionActions(shelfId: string): VersionActions {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const errorText = useErrorText();
  return useMemo(() => {
    const refresh = async () => {
      const stale = [
        queryKeys.shelf(shelfId),
        queryKeys.libraries,
        queryKeys.documents,
        queryKeys.versions,
        queryKeys.trash,
        ['favorites'],
      ];
      await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })));
    };

    async function attempt(work: () => Promise<unknown>): Promise<void> {
      try {
        await work();
      } catch (error) {
        notify(errorText(error), 'error');
      }
      await refresh();
    }

    const restoreVersion = ({ id }: Version) => client.call(api.documents.restoreVersion, { params: { id }, body: {} });

    return {
      refresh,
      attempt,
      restore: (version, current) =>
        attempt(async () => {
          await restoreVersion(version);
          notify(t('files.versionRestored', { number: version.number }), 'success', {
            label: t('files.undo'),
            run: () => void attempt(() => restoreVersion(current)),
          });
        }),
      label: ({ id }, label) => attempt(() => client.call(api.documents.label, { params: { id }, body: { label } })),
    };
  }, [shelfId, t, client, queries, errorText]);
}
