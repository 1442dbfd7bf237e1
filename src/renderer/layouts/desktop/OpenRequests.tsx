import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { useHandedFiles } from '../../app/handedFiles.ts';
import { navigate, usePathname } from '../../app/place.ts';
import { matchRoute, paths } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { linkedPath } from '../../features/desktop/linkedPath.ts';
import { readOpened } from '../../features/desktop/openedFiles.ts';
import type { PickedFile } from '../../features/shelf/upload/nameConflicts.ts';
import { mergePicked, picked } from '../../features/shelf/upload/pickedFiles.ts';
import { useFileDrop } from '../../features/shelf/upload/useFileDrop.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { ShellServices } from '../../platform/types.ts';
import { useHasModal } from '../../ui/layers.ts';
import { notify } from '../../ui/toast.ts';

const AddFilesDialog = lazy(async () => ({
  default: (await import('../../features/desktop/AddFilesDialog.tsx')).AddFilesDialog,
}));

/** Follows what is opened from outside: links and shelves lead there, files are asked about; so are those that are dropped. */
export function OpenRequests({ shell }: { readonly shell: ShellServices }) {
  const { t } = useTranslation();
  const status = useSession((state) => state.status);
  const hand = useHandedFiles((state) => state.hand);
  const [files, setFiles] = useState<readonly PickedFile[]>([]);
  const isKnown = status === 'guest' || status === 'signed-in';
  const isReady = useSession(({ user }) => status === 'signed-in' && user?.username !== '');
  const route = matchRoute(usePathname());
  const hasModal = useHasModal();
  const add = useCallback((more: readonly PickedFile[]) => setFiles((list) => mergePicked(list, more)), []);
  const failed = useCallback(() => notify(t('upload.unreadable'), 'error'), [t]);

  useEffect(() => {
    if (!isKnown) return;
    const take = async () => {
      const opened = await shell.takeOpened();
      const target = opened.path === null ? null : linkedPath(opened.path);
      if (target !== null) navigate(target);
      const read = await Promise.all(opened.files.map(async (file) => picked(file.name, await readOpened(file))));
      if (read.length > 0) add(read);
    };
    const follow = () => void take().catch(failed);
    follow();
    return shell.onOpened(follow);
  }, [isKnown, shell, add, failed]);

  // Pages that take files themselves know where they go.
  const takesFiles = route.name === 'shelf' || route.name === 'upload';
  useFileDrop(isReady && !takesFiles && !hasModal, add, failed);

  if (files.length === 0 || !isReady) return null;
  return (
    <Suspense fallback={null}>
      <AddFilesDialog
        names={files.map(({ name }) => name)}
        onClose={() => setFiles([])}
        onChoose={(shelf) => {
          hand(shelf.id, files);
          setFiles([]);
          navigate(paths.shelf(shelf.library, shelf.id));
        }}
      />
    </Suspense>
  );
}
