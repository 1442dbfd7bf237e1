/**
 * Does so many tasks side by side. After a failure none is begun any more, and it is told of once those under way have ended.
 * @throws what the first task that failed threw
 */
export async function inParallel<T>(
  tasks: readonly T[],
  width: number,
  run: (task: T) => Promise<void>,
): Promise<void> {
  const queue = [...tasks].reverse();
  const lanes = Array.from({ length: Math.min(width, queue.length) }, async () => {
    for (let task = queue.pop(); task !== undefined; task = queue.pop()) {
      try {
        await run(task);
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }
  });
  for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason;
}
