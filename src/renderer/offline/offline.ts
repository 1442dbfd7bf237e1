import type { QueryPersister } from '@tanstack/react-query';
import type { User } from '../../shared/model/user.ts';
import { loadUntilThere } from '../api/loadCode.ts';
import { firstContent } from '../ui/later.tsx';
import { createLastSeen } from './lastSeen.ts';

/** What the application does to be of use without a network; only hosts whose pages and data come over one have it. */
export interface Offline {
  /** Keeps what the server answers, and gives that where it does not answer. */
  readonly persister: QueryPersister;
  /** Somebody is signed in: the application and what they see are kept from now on. */
  readonly begin: (user: User) => void;
  /** Who was signed in here last, while the server cannot be asked: what they saw is shown. */
  readonly recall: () => Promise<User | null>;
  /** Nobody is signed in: nothing stays. */
  readonly forget: () => void;
}

/** Makes it, over the browser's own database and a service worker. */
export function createOffline(): Offline {
  const lastSeen = createLastSeen(firstContent);
  const worker = firstContent.then(() => loadUntilThere(async () => (await import('./worker.ts')).createWorker()));
  return {
    persister: lastSeen.persister,
    recall: lastSeen.recall,
    begin: (user) => {
      lastSeen.begin(user);
      void worker.then(({ keep }) => keep());
    },
    forget: () => {
      lastSeen.forget();
      void worker.then(({ empty }) => empty());
    },
  };
}
