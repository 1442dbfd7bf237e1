import { useState } from 'react';
import { useServices, useSession } from '../../app/services.ts';

export interface Draft {
  readonly text: string;
  readonly change: (text: string) => void;
  /** Forgets it: it was sent, or given up. */
  readonly clear: () => void;
}

const keyOf = (userId: string, place: string) => `comment.draft:${userId}:${place}`;

/**
 * A text that is being written at a place, kept in this tab: it is there again after the session ended and was begun anew
 * (field.md row 5), for the same person only.
 */
export function useDraft(place: string, initial = ''): Draft {
  const { tabStore } = useServices();
  const key = keyOf(
    useSession(({ user }) => user?.user_id ?? ''),
    place,
  );
  const [text, setText] = useState(() => tabStore.getItem(key) ?? initial);
  return {
    text,
    change(next) {
      setText(next);
      if (next === initial) tabStore.removeItem(key);
      else tabStore.setItem(key, next);
    },
    clear() {
      setText(initial);
      tabStore.removeItem(key);
    },
  };
}

/** Whether something was begun at a place. */
export function useHasDraft(place: string): boolean {
  const { tabStore } = useServices();
  const userId = useSession(({ user }) => user?.user_id ?? '');
  return tabStore.getItem(keyOf(userId, place)) !== null;
}
