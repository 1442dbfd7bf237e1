import { create } from 'zustand';

interface ConsentState {
  /** Whether counting is allowed; null until somebody chose. What is needed needs no leave. */
  readonly analytics: boolean | null;
  readonly choose: (choice: { readonly analytics: boolean }) => void;
  /** Asks again. What was allowed before stops at once. */
  readonly reopen: () => void;
}

/** The key of desktop-shell.md §3; what it holds is `{ necessary: true, analytics }`. */
const KEY = 'cookie_consent';

function kept(): boolean | null {
  try {
    const { analytics } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as { analytics?: unknown };
    return typeof analytics === 'boolean' ? analytics : null;
  } catch {
    // Written by something else: then nobody has chosen.
    return null;
  }
}

/** The choice about cookies and counting, kept in this browser (field.md row 91). */
export const useConsent = create<ConsentState>()((set) => ({
  analytics: kept(),
  choose: ({ analytics }) => {
    localStorage.setItem(KEY, JSON.stringify({ necessary: true, analytics }));
    set({ analytics });
  },
  reopen: () => {
    localStorage.removeItem(KEY);
    set({ analytics: null });
  },
}));
