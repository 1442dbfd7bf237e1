import { useCallback } from 'react';
import type { MatchItem, SearchResult } from '../../../shared/model/search.ts';
import { navigate } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';

/** What can be done with a result: a document's version is opened, a file of this machine shown in its folder. */
export type ResultAction = 'open' | 'show-in-folder' | 'none';

/** Decides by what the result names and what the host can do. */
export function actionOf(result: SearchResult, canShowInFolder: boolean): ResultAction {
  if (result.versionId !== null && result.shelfId !== null && result.libraryName !== null) return 'open';
  return canShowInFolder ? 'show-in-folder' : 'none';
}

export interface OpenResult {
  readonly action: (result: SearchResult) => ResultAction;
  readonly open: (result: SearchResult, item?: MatchItem) => void;
  /**
   * Opens what a row of the list stands for: where a version removed what was found, that version beside the last that has it,
   * at the place (field.md row 78).
   */
  readonly openRow: (result: SearchResult) => void;
  /** Shows the version that removed what was found beside the last that has it. */
  readonly openRemoval: (result: SearchResult) => void;
  /** Puts where the result lies on the clipboard. */
  readonly copyPath: (result: SearchResult) => void;
}

/** Where a result lies: on this machine, or in which library and shelf. */
export function pathOf({ path, libraryName, shelfName, versionId }: SearchResult): string {
  const isDocument = versionId !== null && libraryName !== null && shelfName !== null;
  return isDocument ? [libraryName, shelfName, path].join('/') : path;
}

/** Opens results; `find` is marked in the document where it is a literal. */
export function useOpenResult(find: string, onOpened: () => void): OpenResult {
  const { workspace } = useServices().platform;
  const { t } = useTranslation();
  const errorText = useErrorText();
  const action = useCallback((result: SearchResult) => actionOf(result, workspace !== null), [workspace]);
  const open = useCallback(
    (result: SearchResult, item?: MatchItem) => {
      const { libraryName, shelfId, versionId } = result;
      if (libraryName !== null && shelfId !== null && versionId !== null) {
        const inside = item ?? result.items.find(({ line }) => line !== null);
        // A name or a message has no line. Where a document has no parts, the line says it all.
        const line = inside?.line ?? null;
        const at = inside === undefined || line === null || inside.type === 'Content' ? null : inside.type;
        navigate(paths.version(libraryName, shelfId, versionId, { text: find, at, line }));
        onOpened();
        return;
      }
      workspace?.showInFolder(result.path).catch((error: unknown) => notify(errorText(error), 'error'));
    },
    [workspace, errorText, find, onOpened],
  );
  const openRemoval = useCallback(
    ({ libraryName, shelfId, versionId, removedIn }: SearchResult) => {
      if (libraryName === null || shelfId === null || versionId === null || removedIn === undefined) return;
      navigate(paths.compare(libraryName, shelfId, removedIn.versionId, versionId, find));
      onOpened();
    },
    [find, onOpened],
  );
  const openRow = useCallback(
    // An expression names no place in a comparison; a version is opened at the line.
    (result: SearchResult) => (result.removedIn === undefined || find === '' ? open(result) : openRemoval(result)),
    [find, open, openRemoval],
  );
  const copyPath = useCallback(
    (result: SearchResult) => {
      navigator.clipboard.writeText(pathOf(result)).then(
        () => notify(t('search.pathCopied')),
        () => notify(t('errors.internal'), 'error'),
      );
    },
    [t],
  );
  return { action, open, openRow, openRemoval, copyPath };
}
