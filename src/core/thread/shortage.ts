const CODES = ['EMFILE', 'ENFILE', 'ENOMEM', 'ERR_WORKER_INIT_FAILED'];

/** Whether the system is short of descriptors or memory. That is not the fault of the file at hand: whoever asked has to come back to it. */
export function isShortage(error: unknown): boolean {
  const { code = '', message } = error as NodeJS.ErrnoException;
  // A thread that cannot read its modules says so in words alone.
  return CODES.includes(code) || /too many open files/iu.test(message);
}
