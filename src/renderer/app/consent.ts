import { create } from 'zustand';

/** What somebody allowed: nothing but what is needed, or counting too. Null until they chose. */
export type Consent = 'necessary' | 'all' | null;

interface ConsentState {
  readonly consent: Consent;
  readonly choose: (consent: Exclude<Consent, null>) => void;
  /** Asks again. What was allowed before stops at once. */
  readonly reopen: () => void;
}

const KEY = 'cookies.consent';

function kept(): Consent {
  const value = localStorage.getItem(KEY);
  return value === 'necessary' || value === 'all' ? value : null;
}

/** The choice about cookies and counting, kept in this browser (field.md row 91). */
export const useConsent = create<ConsentState>()((set) => ({
  consent: kept(),
  choose: (consent) => {
    localStorage.setItem(KEY, consent);
    set({ consent });
  },
  reopen: () => {
    localStorage.removeItem(KEY);
    set({ consent: null });
  },
}));
