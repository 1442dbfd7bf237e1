/** A handle as browsers that have the File System Access interface give it: it can ask again for what it once was given. */
interface AskingHandle extends FileSystemFileHandle {
  queryPermission?(what: { readonly mode: 'read' }): Promise<PermissionState>;
  requestPermission?(what: { readonly mode: 'read' }): Promise<PermissionState>;
}

const handles = new WeakMap<File, FileSystemFileHandle>();

/** Remembers where a file came from, so that it can be read again after a restart. */
export async function fileOfHandle(handle: FileSystemFileHandle): Promise<File> {
  const file = await handle.getFile();
  handles.set(file, handle);
  return file;
}

/** Where a file came from; null where the browser does not tell. */
export function handleOf(file: File): FileSystemFileHandle | null {
  return handles.get(file) ?? null;
}

/** Whether a file may be read, asking the person if need be: only within a click. */
export async function mayRead(handle: FileSystemFileHandle): Promise<boolean> {
  const asking: AskingHandle = handle;
  if ((await asking.queryPermission?.({ mode: 'read' })) === 'granted') return true;
  return (await asking.requestPermission?.({ mode: 'read' })) === 'granted';
}
