import type { PlanType } from '../../../shared/model/common.ts';

/** The plans from the smallest to the largest. */
export const PLAN_TYPES = [99, 0, 1, 2] as const satisfies readonly PlanType[];
