import { create } from 'zustand';

export type Theme = 'light' | 'dark' | 'system';

const KEY = 'interface.theme';

function kept(): Theme {
  const value = localStorage.getItem(KEY);
  return value === 'light' || value === 'dark' ? value : 'system';
}

function show(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** The theme chosen in Settings. */
export const useTheme = create<{ readonly theme: Theme; readonly setTheme: (theme: Theme) => void }>()((set) => ({
  theme: 'system',
  setTheme: (theme) => {
    localStorage.setItem(KEY, theme);
    show(theme);
    set({ theme });
  },
}));

/** Puts the kept theme on the page, before it is first drawn. */
export function startTheme(): void {
  const theme = kept();
  show(theme);
  useTheme.setState({ theme });
}
