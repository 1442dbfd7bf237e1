import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallOutput } from '../../../shared/api/call.ts';
import { api } from '../../../shared/api/index.ts';
import { queryKeys } from '../../api/queries.ts';
import { useServices } from '../../app/services.ts';

type Page = CallOutput<typeof api.notifications.list>;

/** How many notifications are unread. */
export function useUnreadCount() {
  const { client } = useServices();
  return useQuery({
    queryKey: queryKeys.unreadNotifications,
    queryFn: async ({ signal }) => (await client.call(api.notifications.count, {}, { signal })).count,
  });
}

/** The notifications, newest first, from the start whenever the list is opened. */
export function useNotifications() {
  const { client } = useServices();
  return useInfiniteQuery({
    queryKey: queryKeys.notificationList,
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => client.call(api.notifications.list, { query: { page: pageParam } }, { signal }),
    getNextPageParam: (last, pages) => (last.has_more ? pages.length + 1 : undefined),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Marks one notification as read, or all of them. The list and the count follow at once. */
export function useMarkAsRead() {
  const { client } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string | 'all') =>
      id === 'all'
        ? client.call(api.notifications.markAllAsRead, {})
        : client.call(api.notifications.markAsRead, { params: { id } }),
    onMutate: (id) => {
      queries.setQueryData<number>(queryKeys.unreadNotifications, (count = 0) =>
        id === 'all' ? 0 : Math.max(count - 1, 0),
      );
      queries.setQueryData<InfiniteData<Page>>(queryKeys.notificationList, (list) =>
        list === undefined
          ? undefined
          : {
              ...list,
              pages: list.pages.map((page) => ({
                ...page,
                notifications: page.notifications.map((each) =>
                  id === 'all' || each.id === id ? { ...each, is_read: true } : each,
                ),
              })),
            },
      );
    },
    onSuccess: ({ unread_count }) => queries.setQueryData(queryKeys.unreadNotifications, unread_count),
    onError: () => queries.invalidateQueries({ queryKey: queryKeys.notifications }),
  });
}
