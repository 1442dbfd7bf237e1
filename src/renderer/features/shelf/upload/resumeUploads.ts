import { nameKey } from '../../../../shared/rules/names.ts';
import type { UploadItem } from '../../../../shared/upload/uploadEngine.ts';
import { fileOfSource, mayRead } from './fileHandles.ts';
import type { PickedFile } from './nameConflicts.ts';
import type { SavedFile, SavedUpload } from './savedUploads.ts';
import type { Uploads } from './uploads.ts';

const isSame = (saved: SavedFile, file: File) => file.size === saved.size && file.lastModified === saved.modified;

/** Files as they were kept or from where they were, or null where one cannot be read that way any more. */
async function filesOfSources(files: readonly SavedFile[]): Promise<readonly (readonly [SavedFile, File])[] | null> {
  const found: (readonly [SavedFile, File])[] = [];
  const readable = new Set<FileSystemHandle>();
  for (const saved of files) {
    try {
      const { source, content } = saved;
      if (content instanceof File) {
        found.push([saved, content]);
        continue;
      }
      if (source === null || !(readable.has(source.root) || (await mayRead(source.root)))) return null;
      readable.add(source.root);
      found.push([saved, await fileOfSource(source)]);
    } catch {
      // Moved or deleted since: only the person can say where it is.
      return null;
    }
  }
  return found;
}

/** Files that were chosen again, as far as they are those of the upload. */
function filesOfPicked(
  files: readonly SavedFile[],
  picked: readonly PickedFile[],
): readonly (readonly [SavedFile, File])[] {
  const byName = new Map(picked.map(({ name, file }) => [nameKey(name), file]));
  return files.flatMap((saved) => {
    const file = byName.get(nameKey(saved.name));
    return file === undefined ? [] : [[saved, file] as const];
  });
}

/** How going on with an interrupted upload went: it may need its files chosen again, all of them. */
export type ResumeEnd = 'resumed' | 'choose-files' | 'files-missing';

export interface SavedUploadsControl {
  readonly saved: readonly SavedUpload[];
  readonly resume: (upload: SavedUpload) => Promise<ResumeEnd>;
  readonly resumeWith: (upload: SavedUpload, picked: readonly PickedFile[]) => ResumeEnd;
  readonly discard: (upload: SavedUpload) => void;
}

/** What can be done with uploads of an earlier visit. */
export function resumeUploads({ store, keeper, saved: waiting }: Uploads): Omit<SavedUploadsControl, 'saved'> {
  const drop = ({ key }: SavedUpload) =>
    waiting.setState(
      waiting.getState().filter((each) => each.key !== key),
      true,
    );
  function goOn(upload: SavedUpload, files: readonly (readonly [SavedFile, File])[]): ResumeEnd {
    if (files.length < upload.files.length) return 'files-missing';
    const items = files.map(
      ([{ name }, content]): UploadItem<File> => ({
        name,
        size: content.size,
        mime: content.type || 'application/octet-stream',
        content,
      }),
    );
    // What has arrived is of the files as they were: a changed one makes it an upload of its own.
    const isUnchanged = files.every(([each, file]) => isSame(each, file));
    drop(upload);
    store.getState().restore(upload.key, upload.target, items, isUnchanged ? upload.announced : null);
    return 'resumed';
  }
  return {
    resume: async (upload) => {
      const files = await filesOfSources(upload.files);
      return files === null ? 'choose-files' : goOn(upload, files);
    },
    resumeWith: (upload, picked) => goOn(upload, filesOfPicked(upload.files, picked)),
    discard: (upload) => {
      keeper.forget(upload.key);
      drop(upload);
    },
  };
}
