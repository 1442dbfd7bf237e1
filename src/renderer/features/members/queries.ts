import { useQuery } from '@tanstack/react-query';
import { api } from '../../../shared/api/index.ts';
import { queryKeys } from '../../api/queries.ts';
import { useServices } from '../../app/services.ts';

/** Stands under the shelf, so that whatever changes the shelf changes it too. */
export const membersKey = (shelfId: string) => [...queryKeys.shelf(shelfId), 'members'] as const;

/** The members of a shelf and, for its owner, the invitations. */
export function useMembers(library: string, shelfId: string) {
  const { client } = useServices();
  return useQuery({
    queryKey: membersKey(shelfId),
    queryFn: ({ signal }) => client.call(api.members.list, { params: { lib: library, id: shelfId } }, { signal }),
  });
}
