import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/rules/limits.ts';

/** Argon2id at OWASP's minimum, which is this package's default too: 19 MiB, two passes, one lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Hashes at once, and hashes that may wait: more would let anybody exhaust the machine. */
const AT_ONCE = 2;
const MAX_WAITING = 64;

/** The passwords that every guesser tries first (NIST SP 800-63B §5.1.1.2 asks for a list of such). */
const COMMON = new Set(
  (
    'password password1 passw0rd 12345678 123456789 1234567890 qwertyui qwerty123 qwertyuiop 11111111 00000000 iloveyou ' +
    'sunshine princess football baseball superman trustno1 letmein1 welcome1 admin123 administrator abcd1234 1q2w3e4r ' +
    'asdfghjk zxcvbnm1 armarium changeme password123'
  ).split(' '),
);

/** The rule that a new password breaks, in words for the form, or null. Length counts, not the kinds of characters. */
export function passwordProblem(password: string, email: string): string | null {
  const length = [...password].length;
  if (length < LIMITS.passwordMinLength) return `Use at least ${LIMITS.passwordMinLength} characters.`;
  if (length > LIMITS.passwordMaxLength) return `Use at most ${LIMITS.passwordMaxLength} characters.`;
  const plain = password.toLowerCase();
  if (COMMON.has(plain)) return 'This password is among the first that are guessed. Choose another.';
  const account = email.toLowerCase().split('@')[0] ?? '';
  if (account.length >= 4 && plain.includes(account))
    return 'The password contains your email address. Choose another.';
  return null;
}

/** Hashes and checks passwords, a few at a time. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Takes as long for an account that does not exist (`stored` null) as for one that does. */
  verify(stored: string | null, password: string): Promise<boolean>;
}

/** Makes the hasher with its queue. */
export function createPasswordHasher(): PasswordHasher {
  let running = 0;
  const waiting: (() => void)[] = [];
  let decoy: Promise<string> | null = null;

  async function limited<T>(work: () => Promise<T>): Promise<T> {
    if (running >= AT_ONCE) {
      if (waiting.length >= MAX_WAITING)
        throw new AppError('throttled', 'too many sign-ins at once; try again in a moment');
      await new Promise<void>((ready) => waiting.push(ready));
    } else running += 1;
    try {
      return await work();
    } finally {
      // The place goes straight to who waits, so that nobody slips in between.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  return {
    hash: (password) => limited(() => hash(password.normalize('NFKC'), OPTIONS)),
    async verify(stored, password) {
      decoy ??= hash('an account that does not exist', OPTIONS);
      const against = stored ?? (await decoy);
      const matches = await limited(() => verify(against, password.normalize('NFKC')));
      return matches && stored !== null;
    },
  };
}
