import { z } from 'zod';
import { Id, PlanType } from './common.ts';

/** User info (web-and-phone.md §3). Null limits are unlimited. */
export const User = z.object({
  user_id: Id,
  email: z.string(),
  email_verified: z.boolean(),
  /** Empty until the sign-up is completed. */
  username: z.string(),
  name: z.string(),
  user_image: z.string().nullable(),
  plan_type: PlanType,
  /** 0 is the administrator. */
  user_type: z.number().int(),
  /** Set for one mail a day with what is new. */
  mail_digest: z.boolean(),
  default_library: z.string().nullable(),
  has_default_library: z.boolean(),
  max_libraries: z.number().int().nullable(),
  max_shelves: z.number().int().nullable(),
  max_documents: z.number().int().nullable(),
});
export type User = z.infer<typeof User>;
