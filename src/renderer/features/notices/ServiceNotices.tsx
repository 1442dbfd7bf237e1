import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { api } from '../../../shared/api/index.ts';
import { queryKeys } from '../../api/queries.ts';
import { useServices, useSession } from '../../app/services.ts';
import { createClosedNotices } from './closedNotices.ts';

const NoticeDialog = lazy(async () => ({ default: (await import('./NoticeDialog.tsx')).NoticeDialog }));

interface NoticesOfProps {
  readonly userId: string;
}

function NoticesOf({ userId }: NoticesOfProps) {
  const { client } = useServices();
  const closed = useMemo(() => createClosedNotices(localStorage, userId), [userId]);
  const [confirmed, setConfirmed] = useState<ReadonlySet<string>>(new Set());
  const { data } = useQuery({
    queryKey: queryKeys.serviceNotices,
    queryFn: async ({ signal }) => {
      const answer = await client.call(api.notices.showing, { query: { force: 'true' } }, { signal });
      closed.checked(Date.now());
      return answer;
    },
    refetchOnWindowFocus: () => closed.isCheckDue(Date.now()),
    select: ({ notices }) => notices,
  });
  const notice = data?.find(({ id }) => !confirmed.has(id) && !closed.has(id));
  if (data === undefined || notice === undefined) return null;
  const confirm = (isNotAgain: boolean) => {
    if (isNotAgain) {
      closed.add(
        notice.id,
        data.map(({ id }) => id),
      );
    }
    setConfirmed((ids) => new Set([...ids, notice.id]));
    // The administrator's count of readers is worth no message to them.
    client.call(api.notices.markRead, { params: { id: notice.id } }).catch(() => undefined);
  };
  return (
    <Suspense fallback={null}>
      <NoticeDialog key={notice.id} notice={notice} onConfirm={confirm} />
    </Suspense>
  );
}

/**
 * Shows the first service notice that is active, within its dates and not closed by the reader. That notices could not be
 * asked for is not shown (web-and-phone.md §8).
 */
export function ServiceNotices() {
  const userId = useSession(({ status, user, expired }) =>
    status === 'signed-in' && !expired && user?.username !== '' ? (user?.user_id ?? null) : null,
  );
  return userId === null ? null : <NoticesOf key={userId} userId={userId} />;
}
