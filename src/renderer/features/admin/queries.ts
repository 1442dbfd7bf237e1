import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallDefinition, CallInput, CallOutput } from '../../../shared/api/call.ts';
import { useServices } from '../../app/services.ts';

/** All that the dashboard shows is kept under this. */
export const KEY = 'admin';

export interface AdminQueryOptions {
  /** Asked for again by itself, where figures move. */
  readonly refreshMs?: number;
  readonly isWanted?: boolean;
}

/** What one of the administrator's calls answers; what was shown stays until the next answer is there. */
export function useAdminQuery<T extends CallDefinition>(
  definition: T,
  input: CallInput<T>,
  { refreshMs, isWanted = true }: AdminQueryOptions = {},
) {
  const { client } = useServices();
  return useQuery<CallOutput<T>>({
    queryKey: [KEY, definition.path, input],
    queryFn: ({ signal }) => client.call(definition, input, { signal }),
    placeholderData: keepPreviousData,
    enabled: isWanted,
    refetchInterval: refreshMs ?? false,
  });
}

/** One of the administrator's changes; afterwards all that the dashboard shows is asked for anew. */
export function useAdminChange<T extends CallDefinition>(definition: T) {
  const { client } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: CallInput<T>) => client.call(definition, input),
    onSuccess: () => queries.invalidateQueries({ queryKey: [KEY] }),
  });
}
