import type { PlanType } from '../../shared/model/common.ts';

/** Keys of the plans' names in the catalogue. */
export const PLAN_NAMES = {
  99: 'unverified',
  0: 'basic',
  1: 'pro',
  2: 'enterprise',
} as const satisfies Record<PlanType, string>;
