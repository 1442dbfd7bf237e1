import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CallOutput } from '../../../shared/api/call.ts';
import type { api } from '../../../shared/api/index.ts';
import { queryKeys } from '../../api/queries.ts';
import { usePathname } from '../../app/place.ts';
import { matchRoute, paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { ShellServices } from '../../platform/types.ts';

/** Keeps what stands outside the page in step with it: the language of menus, and the shelves that they offer. */
export function useShellCompanions(shell: ShellServices | null): void {
  const { i18n } = useTranslation();
  const language = i18n.language === 'de' ? 'de' : 'en';
  const route = matchRoute(usePathname());
  const shelfId = 'shelfId' in route ? route.shelfId : '';
  // Only what a page has asked for: a shelf that nobody may see has no name.
  const { data } = useQuery<CallOutput<typeof api.documents.shelfDetail>>({
    queryKey: queryKeys.shelf(shelfId),
    queryFn: skipToken,
  });
  const name = data?.shelf.name;
  const library = data?.shelf.library;
  useEffect(() => {
    // Menus in another language than the page's are no reason to disturb anybody.
    shell?.setLanguage(language).catch(() => undefined);
  }, [shell, language]);
  useEffect(() => {
    if (shell === null || name === undefined || library === undefined) return;
    shell.rememberShelf({ path: paths.shelf(library, shelfId), name, library }).catch(() => undefined);
  }, [shell, name, library, shelfId]);
}
