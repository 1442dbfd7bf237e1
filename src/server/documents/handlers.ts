import type { Api } from '../../shared/api/index.ts';
import { actorOf } from '../http/context.ts';
import type { ApiHandlers } from '../http/mount.ts';
import type { Libraries } from '../libraries/libraries.ts';
import type { Documents } from './documents.ts';

/** Handlers of the calls that read a shelf. */
export function documentsHandlers(libraries: Libraries, documents: Documents): ApiHandlers<Api>['documents'] {
  return {
    shelfInfo: ({ params }, context) => libraries.shelf(actorOf(context), params.lib, params.id),
    async shelfDetail({ params }, context) {
      const shelf = await libraries.shelf(actorOf(context), params.lib, params.id);
      return { shelf, documents: await documents.ofShelf(shelf.id) };
    },
    async commits({ params, query }, context) {
      const shelf = await libraries.shelf(actorOf(context), params.lib, params.id);
      return documents.commits(shelf.id, query.page, query.page_size);
    },
    history: async ({ params }, context) => ({ versions: await documents.history(actorOf(context), params.id) }),
    version: ({ params }, context) => documents.version(actorOf(context), params.id),
  };
}
