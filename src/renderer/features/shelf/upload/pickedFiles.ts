import { documentNameProblem, type NameProblem, nameKey, normalizeName } from '../../../../shared/rules/names.ts';

/** A file that was chosen or dropped, with its name on the shelf: folders included. */
export interface PickedFile {
  readonly name: string;
  readonly file: File;
  readonly problem: NameProblem | null;
}

function picked(name: string, file: File): PickedFile {
  const normal = normalizeName(name);
  return { name: normal, file, problem: documentNameProblem(normal) };
}

/** Files of an input element; those of a chosen folder carry their path. */
export function pickedFromInput(files: FileList): readonly PickedFile[] {
  return [...files].map((file) => picked(file.webkitRelativePath || file.name, file));
}

/** Adds files to a list; one of the same name takes the place of the earlier. */
export function mergePicked(list: readonly PickedFile[], more: readonly PickedFile[]): readonly PickedFile[] {
  return [...new Map([...list, ...more].map((each) => [nameKey(each.name), each])).values()];
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A folder hands its entries out in batches, until an empty one. */
async function entriesOf(entry: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = entry.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return all;
    all.push(...batch);
  }
}

async function walk(entry: FileSystemEntry): Promise<readonly PickedFile[]> {
  if (entry.isFile) {
    const file = await fileOf(entry as FileSystemFileEntry);
    return [picked(entry.fullPath.replace(/^\//u, ''), file)];
  }
  const found: PickedFile[] = [];
  for (const child of await entriesOf(entry as FileSystemDirectoryEntry)) found.push(...(await walk(child)));
  return found;
}

/** Files and whole folders of a drop. The entries must be taken within the event, before anything is awaited. */
export function pickedFromDrop(data: DataTransfer): Promise<readonly PickedFile[]> {
  const lists = [...data.items].map((item) => {
    const entry = item.webkitGetAsEntry();
    if (entry !== null) return walk(entry);
    // Dragged out of another page, a file has no entry.
    const file = item.getAsFile();
    return Promise.resolve(file === null ? [] : [picked(file.name, file)]);
  });
  return Promise.all(lists).then((files) => files.flat());
}
