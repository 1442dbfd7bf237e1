import type { comments as calls } from '../../shared/api/comments.ts';
import { type Access, COMMENT, type Need, READ } from '../access/access.ts';
import { actorOf, type CallContext, callerOf } from '../http/context.ts';
import type { ApiHandlers } from '../http/mount.ts';
import type { Comments } from './comments.ts';

/** Handlers of the comment calls. */
export function commentsHandlers(
  access: Access,
  comments: Comments,
): ApiHandlers<{ comments: typeof calls }>['comments'] {
  const shelfFor = (params: { readonly lib: string; readonly id: string }, context: CallContext, need: Need) =>
    access.shelf(actorOf(context), params.lib, params.id, need);

  async function unread(params: { readonly lib: string; readonly id: string }, context: CallContext) {
    const count = await comments.unread(actorOf(context), await shelfFor(params, context, READ));
    return { has_unread: count > 0, unread_count: count };
  }

  return {
    list: async ({ params, query }, context) => comments.list(await shelfFor(params, context, READ), query),
    create: async ({ params, body }, context) =>
      comments.create(actorOf(context), await shelfFor(params, context, COMMENT), body),
    update: async ({ params, body }, context) =>
      comments.update(actorOf(context), await shelfFor(params, context, COMMENT), params.cid, body.comment),
    async remove({ params }, context) {
      await comments.remove(callerOf(context), await shelfFor(params, context, COMMENT), params.cid, null);
      return { deleted: true };
    },
    resolve: async ({ params, body }, context) =>
      comments.resolve(actorOf(context), await shelfFor(params, context, COMMENT), params.cid, body.resolved),
    async markRead({ params, body }, context) {
      await comments.markRead(actorOf(context), await shelfFor(params, context, READ), body.last_comment_id);
      return unread(params, context);
    },
    hasUnread: ({ params }, context) => unread(params, context),
    async ofVersion({ params, query }, context) {
      const shelf = await comments.shelfOfVersion(actorOf(context), params.id, READ);
      return comments.list(shelf, { ...query, version_id: params.id, resolved: 'include' });
    },
    async createOnVersion({ params, body }, context) {
      const actor = actorOf(context);
      return comments.create(actor, await comments.shelfOfVersion(actor, params.id), {
        ...body,
        version_id: params.id,
      });
    },
    async removeFromVersion({ params }, context) {
      const shelf = await comments.shelfOfVersion(actorOf(context), params.id);
      await comments.remove(callerOf(context), shelf, params.cid, params.id);
      return { deleted: true };
    },
  };
}
