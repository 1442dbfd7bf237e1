import { documentNameProblem, nameKey, normalizeName } from '../../../../shared/rules/names.ts';
import { extensionOf } from '../../../ui/fileKind.ts';
import { fileOfSource } from './fileHandles.ts';
import type { PickedFile } from './nameConflicts.ts';

/** A file under the name that it is to have. */
export function picked(name: string, file: File): PickedFile {
  const normal = normalizeName(name);
  return { name: normal, file, problem: documentNameProblem(normal) };
}

function splitExtension(name: string): { readonly stem: string; readonly extension: string } {
  const extension = extensionOf(name);
  const at = extension === '' ? name.length : name.length - extension.length - 1;
  return { stem: name.slice(0, at), extension: name.slice(at) };
}

/** Phones give all photos of one choice the same name: each then gets a number of its own. */
function numbered(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return names.map((name) => {
    const { stem, extension } = splitExtension(name);
    let unused = name;
    for (let number = 2; seen.has(nameKey(unused)); number += 1) unused = `${stem} (${number})${extension}`;
    seen.add(nameKey(unused));
    return unused;
  });
}

/** Files of an input element or of another application; those of a chosen folder carry their path. */
export function pickedFromInput(files: Iterable<File>): readonly PickedFile[] {
  const all = [...files];
  const names = numbered(all.map((file) => file.webkitRelativePath || file.name));
  return all.map((file, index) => picked(names[index] ?? file.name, file));
}

/** Photos just taken, named by when: cameras name all of theirs alike. */
export function pickedFromCamera(files: Iterable<File>, nameAt: (when: string) => string): readonly PickedFile[] {
  return [...files].map((file) => {
    const at = new Date(file.lastModified);
    const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
    const when = local.slice(0, 19).replace('T', ' ').replaceAll(':', '.');
    return picked(nameAt(when) + splitExtension(file.name).extension.toLowerCase(), file);
  });
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

/** Present where the browser lets a page come back to what was dropped. */
interface HandleItem extends DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}

const isFolder = (handle: FileSystemHandle): handle is FileSystemDirectoryHandle => handle.kind === 'directory';
const isFile = (handle: FileSystemHandle): handle is FileSystemFileHandle => handle.kind === 'file';

/** The files of a handle; `root` is what was chosen, `folder` the way from there. */
async function walkHandle(handle: FileSystemHandle, root = handle, folder = ''): Promise<readonly PickedFile[]> {
  const name = folder + handle.name;
  if (isFile(handle)) return [picked(name, await fileOfSource({ handle, root }))];
  if (!isFolder(handle)) return [];
  const found: PickedFile[] = [];
  for await (const child of handle.values()) found.push(...(await walkHandle(child, root, `${name}/`)));
  return found;
}

async function pickedFromItem(item: DataTransferItem): Promise<readonly PickedFile[]> {
  const handled: HandleItem = item;
  // All of it is asked for before anything is awaited: after the event the item is empty.
  const [handle, entry, file] = [handled.getAsFileSystemHandle?.(), item.webkitGetAsEntry(), item.getAsFile()];
  const found = await handle;
  if (found) return walkHandle(found);
  if (entry !== null) return walk(entry);
  // Dragged out of another page, a file has no entry.
  return file === null ? [] : [picked(file.name, file)];
}

/** Files and whole folders of a drop. */
export async function pickedFromDrop(data: DataTransfer): Promise<readonly PickedFile[]> {
  const lists = await Promise.all([...data.items].filter(({ kind }) => kind === 'file').map(pickedFromItem));
  return lists.flat();
}

/** The choosers of browsers that let a page come back to what was chosen. */
interface ChoosingWindow extends Window {
  showOpenFilePicker?(options: { readonly multiple: true }): Promise<readonly FileSystemFileHandle[]>;
  showDirectoryPicker?(): Promise<FileSystemDirectoryHandle>;
}

/** What was chosen; nothing when the person left the chooser without. */
async function chosen(handles: Promise<readonly FileSystemHandle[]>): Promise<readonly PickedFile[]> {
  try {
    return (await Promise.all((await handles).map((handle) => walkHandle(handle)))).flat();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return [];
    throw error;
  }
}

/** Asks for files, or for a folder with all that is in it; null where an input has to ask. */
export function chooseByHandle(what: 'files' | 'folder'): Promise<readonly PickedFile[]> | null {
  const choosing: ChoosingWindow = window;
  if (what === 'files') {
    return choosing.showOpenFilePicker === undefined ? null : chosen(choosing.showOpenFilePicker({ multiple: true }));
  }
  if (choosing.showDirectoryPicker === undefined) return null;
  return chosen(choosing.showDirectoryPicker().then((folder) => [folder]));
}
