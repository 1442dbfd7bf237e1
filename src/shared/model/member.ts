import { z } from 'zod';
import { Id, Timestamp } from './common.ts';

export const InvitationState = z.enum(['pending', 'accepted', 'declined', 'cancelled']);
/** Roles that can be given; the owner is who the library belongs to. */
export const MemberRole = z.enum(['editor', 'viewer']);

/** A member as the shelf's page lists them. */
export const Member = z.object({
  member_id: Id,
  username: z.string(),
  name: z.string(),
  user_image: z.string().nullable(),
  /** Shown to the owner alone. */
  email: z.string().nullable(),
  role: z.enum(['owner', 'editor', 'viewer']),
});
export type Member = z.infer<typeof Member>;

/** An invitation as the owner sees it: as they addressed it, so that a user name does not tell the address behind it. */
export const Invitation = z.object({
  invitation_id: Id,
  /** Null for who was invited by user name. */
  email: z.string().nullable(),
  /** Null for who was invited by email address. */
  username: z.string().nullable(),
  role: MemberRole,
  state: InvitationState,
  sent_at: Timestamp,
  answered_at: Timestamp.nullable(),
  expires_at: Timestamp,
});
export type Invitation = z.infer<typeof Invitation>;

/** An invitation as the invited see it. */
export const PendingInvitation = z.object({
  invitation_id: Id,
  library_name: z.string(),
  shelf_name: z.string(),
  shelf_id: Id,
  role: MemberRole,
  invited_by: z.string(),
  sent_at: Timestamp,
  expires_at: Timestamp,
});
export type PendingInvitation = z.infer<typeof PendingInvitation>;
