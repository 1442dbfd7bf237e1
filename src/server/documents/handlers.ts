import { fillPath } from '../../shared/api/call.ts';
import { STREAM_ROUTES } from '../../shared/api/documents.ts';
import type { Api } from '../../shared/api/index.ts';
import { type Access, READ } from '../access/access.ts';
import { actorOf, type CallContext, callerOf } from '../http/context.ts';
import type { ApiHandlers } from '../http/mount.ts';
import type { Libraries } from '../libraries/libraries.ts';
import type { SignedPaths } from '../storage/signedPaths.ts';
import type { DocumentActions } from './actions.ts';
import type { Documents } from './documents.ts';
import type { Texts } from './texts.ts';

/** Handlers of the calls that read a shelf and change single documents. */
export function documentsHandlers(options: {
  readonly access: Access;
  readonly actions: DocumentActions;
  readonly documents: Documents;
  readonly libraries: Libraries;
  readonly signedPaths: SignedPaths;
  readonly texts: Texts;
}): ApiHandlers<Api>['documents'] {
  const { access, actions, documents, libraries, signedPaths, texts } = options;
  const readable = (params: { readonly lib: string; readonly id: string }, context: CallContext) =>
    access.shelf(actorOf(context), params.lib, params.id, READ);

  return {
    shelfInfo: ({ params }, context) => libraries.shelf(actorOf(context), params.lib, params.id),
    async shelfDetail({ params, query }, context) {
      const shelf = await libraries.shelf(actorOf(context), params.lib, params.id);
      return { shelf, ...(await documents.ofShelf(shelf.id, query)) };
    },
    async changes({ params }, context) {
      const shelf = await libraries.shelf(actorOf(context), params.lib, params.id);
      const { document_count, ...changes } = await documents.changes(shelf.id, params.since);
      // Of the same moment as the changes, so that who brings a list up to date can count it.
      return { shelf: { ...shelf, document_count }, ...changes };
    },
    async commits({ params, query }, context) {
      const shelf = await readable(params, context);
      return documents.commits(shelf.id, query.page, query.page_size);
    },
    history: async ({ params }, context) => ({ versions: await documents.history(actorOf(context), params.id) }),
    version: ({ params }, context) => documents.version(actorOf(context), params.id),
    async text({ params, query }, context) {
      const version = await documents.version(actorOf(context), params.id);
      return texts.part({ ...version, name: version.document_name }, query.from);
    },
    versionInfo: async ({ params }, context) => ({
      documents: await documents.states((await readable(params, context)).id),
    }),
    latest: async ({ params }, context) => documents.latest((await readable(params, context)).id),
    remove: async ({ params, body }, context) => ({
      commit: await actions.remove(callerOf(context), params.id, body.message, body.base_version ?? null),
    }),
    rename: async ({ params, body }, context) => ({
      commit: await actions.rename(callerOf(context), params.id, body.name, body.message, body.base_version ?? null),
    }),
    restoreVersion: async ({ params, body }, context) => ({
      commit: await actions.restoreVersion(callerOf(context), params.id, body.message),
    }),
    async label({ params, body }, context) {
      await actions.label(callerOf(context), params.id, body.label);
      return documents.version(actorOf(context), params.id);
    },
    lock: ({ params, body }, context) => actions.lock(callerOf(context), params.id, body.hours),
    async unlock({ params }, context) {
      await actions.unlock(callerOf(context), params.id);
      return { unlocked: true };
    },
    async contentUrl({ params, query }, context) {
      await documents.version(actorOf(context), params.id);
      const route = query.download === '1' ? STREAM_ROUTES.signedDownload : STREAM_ROUTES.signedContent;
      const { url, expiresIn } = signedPaths.sign(fillPath(route, { id: params.id }));
      return { url, expires_in: expiresIn };
    },
  };
}
