import { z } from 'zod';
import { Id } from '../model/common.ts';
import { Invitation, Member, MemberRole, PendingInvitation } from '../model/member.ts';
import { call } from './call.ts';
import { shelfParams } from './documents.ts';

const byInvitation = z.object({ invitation_id: Id });

/** Members and invitations (web-and-phone.md §7, decisions.md §6). */
export const members = {
  list: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/shelf/{id}/members/',
    summary: 'The members of a shelf and, for its owner, the invitations that are open or were answered lately.',
    access: 'user',
    params: shelfParams,
    response: z.object({ members: z.array(Member), invitations: z.array(Invitation) }),
    errors: ['not-found'],
  }),
  invite: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/members/invite/',
    summary: 'Invites people by user name or email address, and says of each what became of it.',
    access: 'user',
    once: true,
    params: shelfParams,
    body: z.object({
      members: z.array(z.string().max(200)).max(50).default([]),
      emails: z.array(z.string().max(254)).max(50).default([]),
      role: MemberRole.default('editor'),
    }),
    response: z.object({
      outcomes: z.array(
        z.object({
          /** The user name or address as it was given. */
          invited: z.string(),
          outcome: z.enum(['invited', 'sent-again', 'already-member', 'unknown-user', 'invalid-email']),
        }),
      ),
    }),
    errors: ['not-found', 'archived', 'conflict'],
  }),
  remove: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/members/remove/',
    summary: 'Takes a member off the shelf: the owner anybody else, everybody themself.',
    access: 'user',
    params: shelfParams,
    body: z.object({ member_id: Id }),
    response: z.object({ removed: z.literal(true) }),
    errors: ['not-found', 'conflict'],
  }),
  setRole: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/members/role/',
    summary: 'Gives a member another role.',
    access: 'user',
    params: shelfParams,
    body: z.object({ member_id: Id, role: MemberRole }),
    response: z.object({ member_id: Id, role: MemberRole }),
    errors: ['not-found', 'archived', 'conflict'],
  }),
  cancel: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/members/cancel/',
    summary: 'Takes an invitation back; its link is dead.',
    access: 'user',
    params: shelfParams,
    body: byInvitation,
    response: z.object({ cancelled: z.literal(true) }),
    errors: ['not-found', 'conflict'],
  }),
  resend: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/members/resend/',
    summary: 'Sends an invitation again; it runs from now on anew.',
    access: 'user',
    params: shelfParams,
    body: byInvitation,
    response: Invitation,
    errors: ['not-found', 'archived', 'conflict'],
  }),
  pending: call({
    method: 'GET',
    path: '/api/v1/invitations/pending-invitations/',
    summary: "Invitations to the caller's address, which has to be verified.",
    access: 'user',
    response: z.object({ invitations: z.array(PendingInvitation) }),
    errors: [],
  }),
  answer: call({
    method: 'POST',
    path: '/api/v1/invitations/{a}/{b}/',
    summary: 'Accepts or declines an invitation: its id, then `accept` or `decline`.',
    access: 'user',
    params: z.object({ a: Id, b: z.enum(['accept', 'decline']) }),
    body: z.object({ library_name: z.string().max(200) }),
    response: z.object({ state: z.enum(['accepted', 'declined']), library: z.string(), shelf_id: Id }),
    errors: ['not-found', 'gone', 'conflict'],
  }),
};
