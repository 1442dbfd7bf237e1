import { useQuery } from '@tanstack/react-query';
import { api } from '../../../shared/api/index.ts';
import { queryKeys } from '../../api/queries.ts';
import { useServices } from '../../app/services.ts';

export const accountKeys = {
  user: ['account', 'user'] as const,
  sessions: ['account', 'sessions'] as const,
  secondStep: ['account', 'second step'] as const,
  follows: ['account', 'follows'] as const,
  invitations: ['account', 'invitations'] as const,
};

/** Where the account is signed in. */
export function useSessions() {
  const { client } = useServices();
  return useQuery({
    queryKey: accountKeys.sessions,
    queryFn: ({ signal }) => client.call(api.account.sessions, {}, { signal }),
    select: ({ sessions }) => sessions,
  });
}

/** Whether signing in takes a second step. */
export function useSecondStep() {
  const { client } = useServices();
  return useQuery({
    queryKey: accountKeys.secondStep,
    queryFn: ({ signal }) => client.call(api.account.secondStep, {}, { signal }),
  });
}

/** What the user follows or has muted. */
export function useFollows() {
  const { client } = useServices();
  return useQuery({
    queryKey: accountKeys.follows,
    queryFn: ({ signal }) => client.call(api.notifications.follows, {}, { signal }),
    select: ({ follows }) => follows,
  });
}

/** Invitations that wait for an answer. */
export function usePendingInvitations() {
  const { client } = useServices();
  return useQuery({
    queryKey: accountKeys.invitations,
    queryFn: ({ signal }) => client.call(api.members.pending, {}, { signal }),
    select: ({ invitations }) => invitations,
  });
}

/** Which old versions of a shelf are let go, and when. */
export function useRetention(library: string, shelfId: string) {
  const { client } = useServices();
  return useQuery({
    queryKey: [...queryKeys.shelf(shelfId), 'retention'],
    queryFn: ({ signal }) => client.call(api.retention.due, { params: { lib: library, id: shelfId } }, { signal }),
  });
}
