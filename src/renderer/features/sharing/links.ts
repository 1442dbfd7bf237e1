import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CallInput } from '../../../shared/api/call.ts';
import { api } from '../../../shared/api/index.ts';
import type { ShareLink } from '../../../shared/model/shareLink.ts';
import type { ApiClient } from '../../api/client.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import type { LinkSettings } from './linkDraft.ts';

const KEY = ['share-links'] as const;
const PAGE_SIZE = 100;

type Page = { readonly links: readonly ShareLink[]; readonly has_more: boolean };

/** All pages of a list of links: they are few, and the dialog picks those of one document. */
async function allPages(read: (page: number) => Promise<Page>): Promise<readonly ShareLink[]> {
  const links: ShareLink[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await read(page);
    links.push(...answer.links);
    if (!answer.has_more) return links;
  }
}

const readShelf = (client: ApiClient, lib: string, id: string, signal: AbortSignal) =>
  allPages((page) =>
    client.call(api.sharing.list, { params: { lib, id }, query: { page, page_size: PAGE_SIZE } }, { signal }),
  );

/** The share links of a shelf, newest first. */
export function useShareLinks(library: string, shelfId: string) {
  const { client } = useServices();
  return useQuery({
    queryKey: [...KEY, shelfId],
    queryFn: ({ signal }) => readShelf(client, library, shelfId, signal),
  });
}

/** The links that the caller made on any shelf, newest first. */
export function useMyLinks(isWanted: boolean) {
  const { client } = useServices();
  return useQuery({
    queryKey: [...KEY, 'mine'],
    enabled: isWanted,
    queryFn: ({ signal }) =>
      allPages((page) => client.call(api.sharing.mine, { query: { page, page_size: PAGE_SIZE } }, { signal })),
  });
}

const paramsOf = ({ library, shelf_id, id }: ShareLink) => ({ lib: library, id: shelf_id, linkId: id });

const refresh = (queries: QueryClient) =>
  Promise.all([KEY, ['share-statistics']].map((queryKey) => queries.invalidateQueries({ queryKey })));

/** What can be done with links. */
export interface LinkActions {
  /** @throws AppError, for the form. */
  readonly create: (
    library: string,
    shelfId: string,
    body: CallInput<typeof api.sharing.create>['body'],
  ) => Promise<ShareLink>;
  /** @throws AppError, for the form. */
  readonly change: (link: ShareLink, settings: LinkSettings) => Promise<ShareLink>;
  /** Closes a link, and offers to open it again. */
  readonly revoke: (link: ShareLink) => Promise<void>;
  readonly reopen: (link: ShareLink) => Promise<void>;
  readonly copy: (link: ShareLink) => Promise<void>;
}

/** The actions on links. The lists follow; what fails outside a form is told in a toast. */
export function useLinkActions(): LinkActions {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const errorText = useErrorText();
  return useMemo(() => {
    async function attempt(work: () => Promise<unknown>): Promise<void> {
      try {
        await work();
      } catch (error) {
        notify(errorText(error), 'error');
      }
      await refresh(queries);
    }
    const reopen = (link: ShareLink) =>
      attempt(async () => {
        await client.call(api.sharing.update, { params: paramsOf(link), body: { revoked: false } });
        notify(t('sharing.reopened'));
      });
    return {
      async create(library, shelfId, body) {
        const link = await client.call(api.sharing.create, { params: { lib: library, id: shelfId }, body });
        await refresh(queries);
        return link;
      },
      async change(link, settings) {
        const changed = await client.call(api.sharing.update, { params: paramsOf(link), body: settings });
        await refresh(queries);
        return changed;
      },
      reopen,
      revoke: (link) =>
        attempt(async () => {
          await client.call(api.sharing.revoke, { params: paramsOf(link) });
          notify(t('sharing.revoked'), 'success', { label: t('files.undo'), run: () => void reopen(link) });
        }),
      copy: ({ url }) =>
        navigator.clipboard.writeText(url).then(
          () => notify(t('sharing.copied')),
          () => notify(t('sharing.copyFailed'), 'warning'),
        ),
    };
  }, [t, client, queries, errorText]);
}
