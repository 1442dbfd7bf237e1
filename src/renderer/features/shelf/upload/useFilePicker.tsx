import { type ChangeEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { UPLOAD_FILES_MAX } from '../../../../shared/api/upload.ts';
import type { Shelf, ShelfDocument } from '../../../../shared/model/library.ts';
import { useHandedFiles } from '../../../app/handedFiles.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { notify } from '../../../ui/toast.ts';
import { CommitDialog } from './CommitDialog.tsx';
import { inCommits, type PickedFile } from './nameConflicts.ts';
import { chooseByHandle, mergePicked, pickedFromCamera, pickedFromInput } from './pickedFiles.ts';
import { useUploads } from './uploads.ts';
import { useFileDrop } from './useFileDrop.ts';

export interface FilePickerOptions {
  /** Undefined until it is known. */
  readonly shelf: Shelf | undefined;
  readonly documents: readonly ShelfDocument[];
  readonly canWrite: boolean;
}

export interface FilePicker {
  /** Asks for files, for a folder with all that is in it, for photos that there are, or for a new one. */
  readonly choose: (what: 'files' | 'folder' | 'photos' | 'camera') => void;
  /** Files hover above the page. */
  readonly isDropping: boolean;
  /** Stands on the screen: the inputs that ask, and the dialog in which what was chosen is committed. */
  readonly element: ReactNode;
}

/** How files come onto a shelf: chosen or dropped, looked over, and handed to the uploads as commits. */
export function useFilePicker({ shelf, documents, canWrite }: FilePickerOptions): FilePicker {
  const { t } = useTranslation();
  const addUpload = useUploads((state) => state.add);
  const [picked, setPicked] = useState<readonly PickedFile[]>([]);
  const fileInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const photoInput = useRef<HTMLInputElement>(null);
  const cameraInput = useRef<HTMLInputElement>(null);
  const pick = useCallback((files: readonly PickedFile[]) => setPicked((list) => mergePicked(list, files)), []);
  const pickFailed = useCallback(() => notify(t('upload.unreadable'), 'error'), [t]);
  const isDropping = useFileDrop(canWrite, pick, pickFailed);
  const isHanded = useHandedFiles(({ shelfId }) => canWrite && shelfId !== null && shelfId === shelf?.id);
  useEffect(() => {
    if (isHanded) pick(useHandedFiles.getState().take());
  }, [isHanded, pick]);
  const onInput = (event: ChangeEvent<HTMLInputElement>) => {
    if (event.target.files !== null) pick(pickedFromInput(event.target.files));
    // So that choosing the same file again is a change again.
    event.target.value = '';
  };
  const onPhoto = (event: ChangeEvent<HTMLInputElement>) => {
    if (event.target.files !== null) {
      pick(pickedFromCamera(event.target.files, (when) => t('uploads.photoName', { when })));
    }
    event.target.value = '';
  };
  const choose: FilePicker['choose'] = (what) => {
    if (what === 'photos') return photoInput.current?.click();
    if (what === 'camera') return cameraInput.current?.click();
    const picking = chooseByHandle(what);
    if (picking === null) (what === 'files' ? fileInput : folderInput).current?.click();
    else picking.then(pick, pickFailed);
  };
  const element = (
    <>
      <input ref={fileInput} type="file" multiple hidden data-testid="upload-files" onChange={onInput} />
      <input
        ref={(input) => {
          // Not in React's types: chooses a folder with all that is in it.
          input?.setAttribute('webkitdirectory', '');
          folderInput.current = input;
        }}
        type="file"
        multiple
        hidden
        data-testid="upload-folder"
        onChange={onInput}
      />
      <input
        ref={photoInput}
        type="file"
        accept="image/*,video/*"
        multiple
        hidden
        data-testid="upload-photos"
        onChange={onInput}
      />
      <input
        ref={cameraInput}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        data-testid="upload-camera"
        onChange={onPhoto}
      />
      {picked.length > 0 && shelf !== undefined && (
        <CommitDialog
          library={shelf.library}
          shelf={shelf.name}
          documents={documents}
          files={picked}
          onRemove={(name) => setPicked((list) => list.filter((each) => each.name !== name))}
          onCancel={() => setPicked([])}
          onCommit={(message, items) => {
            setPicked([]);
            const to = { library: shelf.library, shelfId: shelf.id, shelfName: shelf.name, message };
            for (const some of inCommits(items, UPLOAD_FILES_MAX)) addUpload(to, some);
          }}
        />
      )}
    </>
  );
  return { choose, isDropping, element };
}
