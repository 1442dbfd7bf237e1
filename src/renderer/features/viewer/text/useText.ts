import { type Remote, wrap } from 'comlink';
import { useEffect, useState } from 'react';
import type { TextStatus, TextWorker } from './textWorker.ts';

/** A text in its worker. */
export interface OpenText {
  readonly worker: Remote<TextWorker>;
  readonly status: TextStatus;
}

/** Opens a text in a worker of its own, which goes with the view. Null until there is something to show. */
export function useText(url: string, name: string, attempt: number): OpenText | null {
  const [text, setText] = useState<OpenText | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens the same text anew
  useEffect(() => {
    const thread = new Worker(new URL('./textWorker.ts', import.meta.url), { type: 'module' });
    const worker = wrap<TextWorker>(thread);
    let isOpen = true;
    const follow = async () => {
      await worker.open(url, name);
      for (let version = 0; isOpen; ) {
        const status = await worker.changed(version);
        if (!isOpen) return;
        version = status.version;
        setText({ worker, status });
        if (status.isWhole) return;
      }
    };
    void follow();
    return () => {
      isOpen = false;
      setText(null);
      thread.terminate();
    };
  }, [url, name, attempt]);
  return text;
}
