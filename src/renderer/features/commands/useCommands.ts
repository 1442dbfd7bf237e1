import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { api } from '../../../shared/api/index.ts';
import type { SearchResult } from '../../../shared/model/search.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { useLibraries } from '../../api/queries.ts';
import { useCommandLayer } from '../../app/commandLayer.ts';
import { navigate, usePathname } from '../../app/place.ts';
import { matchRoute, paths, shareSearch } from '../../app/routes.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useShellState } from '../../app/shellState.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useTheme } from '../../ui/theme.ts';
import { useSaveReport } from '../../ui/useSaveReport.ts';
import type { Command, CommandGroup } from './rankCommands.ts';

const DOCUMENTS = 30;
const PAUSE_MS = 150;
const SETTINGS_TABS = ['profile', 'security', 'notifications', 'invitations', 'appearance'] as const;
const THEMES = ['light', 'dark', 'system'] as const;

/** A text once it has rested, so that not every letter asks the server. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

function goTo(group: CommandGroup, label: string, to: string, detail?: string): Command {
  return { id: `${group} ${to}`, group, label, run: () => navigate(to), ...(detail === undefined ? {} : { detail }) };
}

/** Documents whose names hold the text; none when the search does not answer, which the palette can do without. */
function useDocuments(text: string): readonly SearchResult[] {
  const { client } = useServices();
  const wanted = useRested(text.trim());
  const length = [...wanted].length;
  const { data = [] } = useQuery({
    queryKey: ['document names', wanted],
    enabled: length >= LIMITS.searchMinLength && length <= LIMITS.searchMaxLength,
    retry: false,
    queryFn: ({ signal }) =>
      client.call(api.search.run, { query: { q: wanted, limit: DOCUMENTS, items: 0 } }, { signal }),
    select: ({ results }) => results.filter(({ filenameRanges }) => filenameRanges.length > 0),
  });
  return data;
}

/** What can be done with the shelf that is on the screen. */
function useCommandsHere(): readonly Command[] {
  const { t } = useTranslation();
  const route = matchRoute(usePathname());
  return useMemo(() => {
    if (!('shelfId' in route)) return [];
    const { library, shelfId } = route;
    return [
      goTo('here', t('pages.commands.upload'), paths.upload(library, shelfId)),
      goTo('here', t('sharing.share'), paths.shelf(library, shelfId) + shareSearch('', { kind: 'shelf', id: '' })),
      goTo('here', t('sharing.title'), paths.share(library, shelfId)),
      goTo('here', t('shelf.history'), paths.commits(library, shelfId)),
      goTo('here', t('shelf.members'), paths.shelfTab(library, shelfId, 'members')),
      goTo('here', t('talk.comments'), paths.shelfTab(library, shelfId, 'comments')),
      goTo('here', t('pages.commands.shelfSettings'), paths.shelfSettings(library, shelfId)),
    ];
  }, [route, t]);
}

/** Everything that the palette can do now; documents by the text that was typed. */
export function useCommands(text: string): readonly Command[] {
  const { t } = useTranslation();
  const { platform } = useServices();
  const { user, signOut } = useSession((state) => state);
  const { data: libraries = [] } = useLibraries();
  const setTheme = useTheme((state) => state.setTheme);
  const showLayer = useCommandLayer((state) => state.show);
  const here = useCommandsHere();
  const documents = useDocuments(text);
  const hasShell = platform.windowControls !== null;
  const { value: checkouts } = useShellState(platform.workspace?.checkouts ?? null);
  const saveReport = useSaveReport(platform.shell);
  const username = user?.username ?? '';
  return useMemo(() => {
    const act = (id: string, label: string, run: () => unknown): Command => ({ id, group: 'action', label, run });
    return [
      ...here,
      ...(hasShell ? [goTo('go', t('desktop.home'), paths.desktopMain)] : []),
      goTo('go', t('nav.myLibraries'), paths.user(username)),
      goTo('go', t('nav.findInFiles'), paths.search()),
      goTo('go', t('nav.favorites'), paths.favorites),
      goTo('go', t('nav.trash'), paths.trash),
      goTo('go', t('nav.plans'), paths.plans),
      ...libraries.map(({ name }) => goTo('library', name, paths.library(name))),
      ...libraries.flatMap((library) =>
        library.shelves.map(({ id, name }) => goTo('shelf', name, paths.shelf(library.name, id), library.name)),
      ),
      ...(checkouts ?? []).map(({ shelf, folder }) =>
        goTo('shelf', t('checkouts.title', { shelf }), paths.changesHere(folder), folder),
      ),
      ...documents.flatMap(({ filename, libraryName, shelfId, shelfName, documentId }) =>
        libraryName === null || shelfId === null || documentId === null
          ? []
          : [
              goTo(
                'document',
                filename,
                paths.document(libraryName, shelfId, documentId),
                `${libraryName} / ${shelfName}`,
              ),
            ],
      ),
      ...SETTINGS_TABS.map((tab) =>
        goTo('settings', t(`people.tabs.${tab}`), paths.settingsTab(tab), t('settings.title')),
      ),
      ...libraries.map(({ name }) => goTo('settings', name, paths.librarySettings(name), t('settings.title'))),
      ...(hasShell ? [goTo('settings', t('pages.commands.thisComputer'), paths.desktopSettings)] : []),
      ...THEMES.map((theme) =>
        act(`theme ${theme}`, `${t('settings.theme')}: ${t(`settings.${theme}`)}`, () => setTheme(theme)),
      ),
      ...(platform.shell === null ? [] : [act('report', t('desktop.report'), saveReport)]),
      act('shortcuts', t('nav.shortcuts'), () => showLayer('shortcuts')),
      act('sign out', t('nav.signOut'), () => signOut()),
    ];
  }, [
    here,
    hasShell,
    platform,
    checkouts,
    username,
    libraries,
    documents,
    t,
    setTheme,
    saveReport,
    showLayer,
    signOut,
  ]);
}
