/** A handle as browsers that have the File System Access interface give it: it can ask again for what it once was given. */
interface AskingHandle extends FileSystemHandle {
  queryPermission?(what: { readonly mode: 'read' }): Promise<PermissionState>;
  requestPermission?(what: { readonly mode: 'read' }): Promise<PermissionState>;
}

/** Where a file came from. */
export interface FileSource {
  readonly handle: FileSystemFileHandle;
  /** What the person chose: the file, or the folder that holds it. The permission is given for that. */
  readonly root: FileSystemHandle;
}

const sources = new WeakMap<File, FileSource>();

/** Reads a file, and remembers where it came from, so that it can be read again after a restart. */
export async function fileOfSource(source: FileSource): Promise<File> {
  const file = await source.handle.getFile();
  sources.set(file, source);
  return file;
}

/** Where a file came from; null where the browser does not tell. */
export function sourceOf(file: File): FileSource | null {
  return sources.get(file) ?? null;
}

/** Whether a file or folder may be read, asking the person if need be: only within a click. */
export async function mayRead(handle: FileSystemHandle): Promise<boolean> {
  const asking: AskingHandle = handle;
  if ((await asking.queryPermission?.({ mode: 'read' })) === 'granted') return true;
  return (await asking.requestPermission?.({ mode: 'read' })) === 'granted';
}
