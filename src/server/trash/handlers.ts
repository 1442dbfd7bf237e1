import type { Api } from '../../shared/api/index.ts';
import { actorOf, callerOf } from '../http/context.ts';
import type { ApiHandlers } from '../http/mount.ts';
import type { Trash } from './trash.ts';

/** Handlers of the trash's calls. */
export function trashHandlers(trash: Trash): ApiHandlers<Api>['trash'] {
  return {
    list: ({ query }, context) => trash.list(actorOf(context), query, context.signal),
    restore: async ({ params, body }, context) => ({
      commit: await trash.restore(callerOf(context), params.id, body.name ?? null),
    }),
    async remove({ params }, context) {
      await trash.remove(callerOf(context), params.id);
      return { deleted: true };
    },
    restoreMany: async ({ body }, context) => ({ outcomes: await trash.restoreMany(callerOf(context), body.ids) }),
    removeMany: async ({ body }, context) => ({ outcomes: await trash.removeMany(callerOf(context), body.ids) }),
  };
}
