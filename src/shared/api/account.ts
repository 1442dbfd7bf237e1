import { z } from 'zod';
import { Id, PlanType, Timestamp } from '../model/common.ts';
import { User } from '../model/user.ts';
import { call } from './call.ts';

const done = z.object({ success: z.literal(true) });
const Code = z.string().trim().max(40);
const Limit = z.number().int().nullable();

/** What a plan allows; null is unlimited (decisions.md §5). */
export const PlanOffer = z.object({
  plan_type: PlanType,
  max_libraries: Limit,
  max_shelves: Limit,
  max_documents: Limit,
});
export type PlanOffer = z.infer<typeof PlanOffer>;

/** The caller's own account, besides signing in (decisions.md §4). */
export const account = {
  remove: call({
    method: 'DELETE',
    path: '/api/v1/users/delete/',
    summary: 'Deletes the account with everything that it owns, for good. Libraries to keep are handed over before.',
    access: 'user',
    status: 204,
    response: z.null(),
    errors: ['conflict'],
  }),
  update: call({
    method: 'PUT',
    path: '/api/v1/account/profile/',
    summary: 'Changes the name, and whether a mail a day tells what is new.',
    access: 'user',
    body: z.object({ name: z.string().trim().min(1).max(200).optional(), mail_digest: z.boolean().optional() }),
    response: User,
    errors: [],
  }),
  plan: call({
    method: 'GET',
    path: '/api/v1/account/plan/',
    summary: 'What each plan allows, as the administrator set it, and how much of the own one is in use.',
    access: 'user',
    response: z.object({
      plan_type: PlanType,
      used: z.object({ libraries: z.number().int(), shelves: z.number().int(), documents: z.number().int() }),
      plans: z.array(PlanOffer),
    }),
    errors: [],
  }),
  resendVerification: call({
    method: 'POST',
    path: '/api/v1/account/resend-verification/',
    summary: 'Sends the mail again whose link verifies the address.',
    access: 'user',
    response: done,
    errors: [],
  }),
  sessions: call({
    method: 'GET',
    path: '/api/v1/account/sessions/',
    summary: 'Where the caller is signed in.',
    access: 'user',
    response: z.object({
      sessions: z.array(z.object({ id: Id, client: z.string(), created_at: Timestamp, is_current: z.boolean() })),
    }),
    errors: [],
  }),
  endSession: call({
    method: 'DELETE',
    path: '/api/v1/account/sessions/{id}/',
    summary: 'Signs one device out.',
    access: 'user',
    params: z.object({ id: Id }),
    response: done,
    errors: ['not-found'],
  }),
  signOutEverywhere: call({
    method: 'POST',
    path: '/api/v1/account/sign-out-everywhere/',
    summary: 'Signs every device out, this one too.',
    access: 'user',
    response: done,
    errors: [],
  }),
  secondStep: call({
    method: 'GET',
    path: '/api/v1/account/totp/',
    summary: 'Whether signing in takes a second step, and how many recovery codes are left.',
    access: 'user',
    response: z.object({ enabled: z.boolean(), recovery_codes_left: z.number().int() }),
    errors: [],
  }),
  startSecondStep: call({
    method: 'POST',
    path: '/api/v1/account/totp/start/',
    summary: 'A new key for an authenticator app. It counts once a code of it was given.',
    access: 'user',
    response: z.object({ secret: z.string(), uri: z.string(), qr_svg: z.string() }),
    errors: ['conflict'],
  }),
  enableSecondStep: call({
    method: 'POST',
    path: '/api/v1/account/totp/enable/',
    summary: 'Turns the second step on. The recovery codes are shown this once.',
    access: 'user',
    body: z.object({ code: Code }),
    response: z.object({ recovery_codes: z.array(z.string()) }),
    errors: ['conflict', 'credentials-invalid'],
  }),
  disableSecondStep: call({
    method: 'POST',
    path: '/api/v1/account/totp/disable/',
    summary: 'Turns the second step off, by the password or a code.',
    access: 'user',
    body: z.object({ proof: z.string().max(1024) }),
    response: done,
    errors: ['credentials-invalid'],
  }),
};
