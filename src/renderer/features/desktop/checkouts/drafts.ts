import { create } from 'zustand';

/** What somebody prepared to commit from a folder: it outlives the dialog, and whatever moves meanwhile. */
export interface CommitDraft {
  readonly message: string;
  /** Whether changes are ticked as a rule, also those that come later. */
  readonly isAll: boolean;
  /** Names to which the opposite applies. */
  readonly except: ReadonlySet<string>;
}

export const NEW_DRAFT: CommitDraft = { message: '', isAll: true, except: new Set() };

/** Whether a document is to be committed. */
export function isTicked({ isAll, except }: CommitDraft, name: string): boolean {
  return except.has(name) !== isAll;
}

/** Ticks one, or takes the tick away. */
export function withToggled(draft: CommitDraft, name: string): CommitDraft {
  const except = new Set(draft.except);
  if (!except.delete(name)) except.add(name);
  return { ...draft, except };
}

/** Ticks all, or none. */
export function withAll(draft: CommitDraft, isAll: boolean): CommitDraft {
  return { ...draft, isAll, except: new Set() };
}

/**
 * What is left of it once these of all that could be were committed: the message is used up, the other ticks stay for what is
 * still there.
 */
export function withoutCommitted(
  draft: CommitDraft,
  committed: ReadonlySet<string>,
  all: readonly string[],
): CommitDraft {
  if (all.every((name) => committed.has(name))) return NEW_DRAFT;
  return { message: '', isAll: draft.isAll, except: new Set([...draft.except].filter((name) => !committed.has(name))) };
}

interface Drafts {
  readonly byFolder: Readonly<Record<string, CommitDraft>>;
  readonly change: (folder: string, change: (draft: CommitDraft) => CommitDraft) => void;
}

/** The drafts of this window, by folder. */
export const useDrafts = create<Drafts>()((set) => ({
  byFolder: {},
  change: (folder, change) =>
    set(({ byFolder }) => ({ byFolder: { ...byFolder, [folder]: change(byFolder[folder] ?? NEW_DRAFT) } })),
}));
