import { LIMITS } from './limits.ts';

/** Characters of a folder or file name that other systems take. */
const SEGMENT_MAX = 255;

/**
 * The name of the copy that keeps both sides of a conflict: who made it and when stand before the file's ending
 * (decisions.md §7), such as `Lease (ana 2026-03-01 14.05.09).docx`. Cut in the middle of the base where it would be too long.
 */
export function conflictName(name: string, username: string, at: Date): string {
  const slash = name.lastIndexOf('/');
  const [folder, file] = [name.slice(0, slash + 1), name.slice(slash + 1)];
  const dot = file.lastIndexOf('.');
  const [base, ending] = dot > 0 ? [file.slice(0, dot), file.slice(dot)] : [file, ''];
  const stamp = at.toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.');
  const mark = ` (${username === '' ? '' : `${username} `}${stamp})`;
  const room = Math.min(SEGMENT_MAX, LIMITS.documentNameMaxLength - [...folder].length) - [...(mark + ending)].length;
  const cut = [...base].slice(0, Math.max(1, room)).join('').trimEnd();
  return `${folder}${cut}${mark}${ending}`;
}
