import { conflictName } from '../../../../shared/rules/conflictName.ts';
import { type NameProblem, nameKey } from '../../../../shared/rules/names.ts';
import type { UploadItem } from '../../../../shared/upload/uploadEngine.ts';

/** A file that was chosen or dropped, with its name on the shelf: folders included. */
export interface PickedFile {
  readonly name: string;
  readonly file: File;
  readonly problem: NameProblem | null;
}

/** What becomes of a file whose name is on the shelf already. */
export const NAME_CHOICES = ['version', 'both', 'skip'] as const;
export type NameChoice = (typeof NAME_CHOICES)[number];

/** Choices by the file's name; a new version where nothing was chosen. */
export type NameChoices = ReadonlyMap<string, NameChoice>;

export interface ResolveOptions {
  readonly files: readonly PickedFile[];
  /** Keys of the names on the shelf. */
  readonly present: ReadonlySet<string>;
  readonly choices: NameChoices;
  readonly username: string;
  readonly at: Date;
}

/** What is committed of the chosen files: those that can be used and are not skipped, under the names they shall have. */
export function resolveNames({ files, present, choices, username, at }: ResolveOptions): readonly UploadItem<File>[] {
  return files.flatMap(({ name, file, problem }) => {
    const choice = present.has(nameKey(name)) ? (choices.get(name) ?? 'version') : 'version';
    if (problem !== null || choice === 'skip') return [];
    return [
      {
        name: choice === 'both' ? conflictName(name, username, at) : name,
        size: file.size,
        mime: file.type || 'application/octet-stream',
        content: file,
      },
    ];
  });
}

/** The chosen files in the shapes in which uploads take them: the server takes so many with one commit. */
export function inCommits<T>(items: readonly T[], most: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, index) =>
    items.slice(index * most, (index + 1) * most),
  );
}
