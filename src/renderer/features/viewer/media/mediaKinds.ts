import { extensionOf, fileKind } from '../../../ui/fileKind.ts';
import { namedKind } from '../kit/namedKind.ts';

/** Whether a document is sound. The specification's kinds have video alone, so sound is no kind of its own. */
export function isAudio(name: string, mime: string): boolean {
  const extension = extensionOf(name);
  if (namedKind(extension) === 'audio') return true;
  return fileKind(name).kind === 'other' && mime.startsWith('audio/');
}

/** Whether a document is video, by its name, or by its type where its name says nothing. */
export function isVideo(name: string, mime: string): boolean {
  const { kind } = fileKind(name);
  if (kind === 'video' || /^(?:m4v|ogv)$/u.test(extensionOf(name))) return true;
  return kind === 'other' && mime.startsWith('video/');
}

/** Whether it is worth giving a document to the browser's player: no browser knows these formats, and some keep trying. */
export const mayPlay = (name: string): boolean => !/^(?:asf|avi|flv|wma|wmv)$/u.test(extensionOf(name));
