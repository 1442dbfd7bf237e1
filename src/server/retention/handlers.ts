import type { retention as calls } from '../../shared/api/retention.ts';
import { type Access, READ } from '../access/access.ts';
import { actorOf } from '../http/context.ts';
import type { ApiHandlers } from '../http/mount.ts';
import type { Retention } from './retention.ts';

/** Handlers of the retention's calls. */
export function retentionHandlers(
  access: Access,
  retention: Retention,
): ApiHandlers<{ retention: typeof calls }>['retention'] {
  return {
    async due({ params, query }, context) {
      const shelf = await access.shelf(actorOf(context), params.lib, params.id, READ);
      return retention.due(shelf.id, query.ahead_days);
    },
  };
}
