import { isAppError } from '../../shared/errors.ts';

/** What plans limit. */
export const PLAN_RESOURCES = ['libraries', 'shelves', 'documents'] as const;
export type PlanResource = (typeof PLAN_RESOURCES)[number];

/** A limit of the plan that was reached. */
export interface PlanLimit {
  readonly resource: PlanResource;
  readonly max: number;
  readonly used: number;
}

/** The limit that an error tells of, or null for any other error. */
export function planLimitOf(error: unknown): PlanLimit | null {
  if (!isAppError(error, 'plan-limit-reached')) return null;
  const { limit, max, used } = error.details ?? {};
  const resource = PLAN_RESOURCES.find((each) => limit === `max_${each}`);
  return resource === undefined || typeof max !== 'number' || typeof used !== 'number' ? null : { resource, max, used };
}
