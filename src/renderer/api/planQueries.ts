import { useQuery } from '@tanstack/react-query';
import { api } from '../../shared/api/index.ts';
import { useServices } from '../app/services.ts';
import type { PlanLimit, PlanResource } from '../ui/planLimit.ts';
import { queryKeys } from './queries.ts';

/** What each plan allows, and how much of the own one is in use. */
export function usePlan() {
  const { client } = useServices();
  return useQuery({
    queryKey: queryKeys.plan,
    queryFn: ({ signal }) => client.call(api.account.plan, {}, { signal }),
  });
}

/** The limit of the own plan that leaves no room for another one, or null: to be told of before somebody tries. */
export function useFullLimit(resource: PlanResource): PlanLimit | null {
  const { data } = usePlan();
  const max = data?.plans.find(({ plan_type }) => plan_type === data.plan_type)?.[`max_${resource}`];
  if (data === undefined || max === undefined || max === null) return null;
  const used = data.used[resource];
  return used < max ? null : { resource, max, used };
}
