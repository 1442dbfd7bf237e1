import type { members as calls } from '../../shared/api/members.ts';
import { actorOf, callerOf } from '../http/context.ts';
import type { ApiHandlers } from '../http/mount.ts';
import type { Members } from './members.ts';

/** Handlers of the calls on members and invitations. */
export function membersHandlers(members: Members): ApiHandlers<{ members: typeof calls }>['members'] {
  return {
    list: ({ params }, context) => members.list(actorOf(context), params.lib, params.id),
    invite: async ({ params, body }, context) => ({
      outcomes: await members.invite(callerOf(context), params.lib, params.id, body),
    }),
    async remove({ params, body }, context) {
      await members.remove(callerOf(context), params.lib, params.id, body.member_id);
      return { removed: true };
    },
    async setRole({ params, body }, context) {
      await members.setRole(callerOf(context), params.lib, params.id, body.member_id, body.role);
      return body;
    },
    async cancel({ params, body }, context) {
      await members.cancel(callerOf(context), params.lib, params.id, body.invitation_id);
      return { cancelled: true };
    },
    resend: ({ params, body }, context) => members.resend(callerOf(context), params.lib, params.id, body.invitation_id),
    pending: async (_input, context) => ({ invitations: await members.pending(actorOf(context)) }),
    async answer({ params, body }, context) {
      const target = await members.answer(callerOf(context), params.a, params.b, body.library_name);
      return { state: params.b === 'accept' ? 'accepted' : 'declined', ...target };
    },
  };
}
