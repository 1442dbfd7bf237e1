import { appendFile, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError, isAppError } from '../../shared/errors.ts';
import { Id, Sha256, Timestamp } from '../../shared/model/common.ts';
import { CHECKOUT_FOLDER } from '../watch/ignoreRules.ts';
import { errorCode, isGone } from '../watch/seeFile.ts';
import type { BaseDocument, RemoteDocument } from './types.ts';

const Stamp = z.object({ size: z.number(), mtimeMs: z.number(), ctimeMs: z.number(), inode: z.number() });
const Base = z.object({
  documentId: Id,
  name: z.string(),
  version: z.number().int(),
  versionId: Id,
  sha256: Sha256,
  stamp: Stamp.nullable(),
});
const Remote = Base.omit({ stamp: true }).extend({
  size: z.number().int(),
  updatedAt: Timestamp,
  lockedBy: z.string().nullable(),
});

/** Which shelf of which server a folder is a checkout of. It is written once. */
const Identity = z.object({ format: z.literal(1), server: z.string(), shelfId: Id });
export type Identity = Readonly<z.infer<typeof Identity>>;

/** What is known of the shelf and of the copies; what is lost of it is found again by comparing contents. */
const Knowledge = z.object({
  format: z.literal(1),
  library: z.string(),
  shelf: z.string(),
  isWritable: z.boolean(),
  checkedAt: Timestamp.nullable(),
  commit: Sha256.nullable(),
  base: z.array(Base),
  remote: z.array(Remote),
});

/** What is known of a shelf. */
export interface ShelfKnowledge {
  /** Empty until the server was asked for the first time. */
  readonly library: string;
  readonly shelf: string;
  /** Whether whoever is signed in may commit. */
  readonly isWritable: boolean;
  /** When the server was last asked with success; ISO 8601, UTC. */
  readonly checkedAt: string | null;
  /** The commit up to which the documents are known; null where nothing was committed, or all are to be read. */
  readonly commit: string | null;
  readonly remote: readonly RemoteDocument[];
}

export interface Knowledge extends ShelfKnowledge {
  readonly base: readonly BaseDocument[];
}

const identityFile = (folder: string) => join(folder, CHECKOUT_FOLDER, 'shelf.json');
const placedFile = (folder: string) => join(folder, CHECKOUT_FOLDER, 'placed.jsonl');
const knowledgeFile = (folder: string) => join(folder, CHECKOUT_FOLDER, 'documents.json');

/** Writes a file whole or not at all, also when the power goes. */
async function writeWhole(file: string, text: string): Promise<void> {
  const written = `${file}.new`;
  const handle = await open(written, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(written, file);
}

/** The JSON of a file of ours; null where there is none, or none that can be understood. */
async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isGone(error)) return null;
    throw unavailable(file, error);
  }
  return schema.safeParse(jsonOf(text)).data ?? null;
}

/** What a JSON text says; undefined for one that was cut short, or written by something else. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unavailable(path: string, cause: unknown): AppError {
  return new AppError('folder-unavailable', `${path}: ${errorCode(cause)}`, { cause, details: { folder: path } });
}

/** What a folder is a checkout of; null for any other folder. @throws AppError `folder-unavailable` */
export function readIdentity(folder: string): Promise<Identity | null> {
  return readJson(identityFile(folder), Identity);
}

/** Makes a folder a checkout. @throws AppError `folder-unavailable` */
export async function writeIdentity(folder: string, identity: Omit<Identity, 'format'>): Promise<void> {
  try {
    await mkdir(join(folder, CHECKOUT_FOLDER), { recursive: true });
    await writeWhole(identityFile(folder), JSON.stringify({ format: 1, ...identity }, null, 2));
  } catch (error) {
    throw unavailable(folder, error);
  }
}

/** Null where nothing is known: all contents are compared then. @throws AppError `folder-unavailable` */
export async function readKnowledge(folder: string): Promise<Knowledge | null> {
  return readJson(knowledgeFile(folder), Knowledge);
}

/**
 * Notes that a version is about to take its place. Until the knowledge is written this alone tells, after a crash, that nobody
 * edited the copy. @throws AppError `folder-unavailable`
 */
export async function notePlaced(folder: string, version: BaseDocument): Promise<void> {
  try {
    await appendFile(placedFile(folder), `${JSON.stringify(version)}\n`);
  } catch (error) {
    throw unavailable(folder, error);
  }
}

/** The versions that may have taken their places since the knowledge was written, oldest first. @throws AppError `folder-unavailable` */
export async function readPlaced(folder: string): Promise<BaseDocument[]> {
  let text: string;
  try {
    text = await readFile(placedFile(folder), 'utf8');
  } catch (error) {
    if (isGone(error)) return [];
    throw unavailable(folder, error);
  }
  // The last line may be cut short.
  return text.split('\n').flatMap((line) => Base.safeParse(jsonOf(line)).data ?? []);
}

/** Whatever was noted is in it. @throws AppError `folder-unavailable` */
export async function writeKnowledge(folder: string, knowledge: Knowledge): Promise<void> {
  try {
    await writeWhole(knowledgeFile(folder), JSON.stringify({ format: 1, ...knowledge }));
    await rm(placedFile(folder), { force: true });
  } catch (error) {
    throw unavailable(folder, error);
  }
}

/** The folder is a folder like others again; its documents stay. @throws AppError `folder-unavailable` */
export async function forgetCheckout(folder: string): Promise<void> {
  try {
    await rm(join(folder, CHECKOUT_FOLDER), { recursive: true, force: true });
  } catch (error) {
    throw unavailable(folder, error);
  }
}

/** A folder of a workspace belongs to one library, with a folder for each shelf: checkouts are found there, or higher up. */
const DEPTH = 2;

/** The checkouts in a workspace, whatever their folders are called now. */
export async function findCheckouts(workspace: string): Promise<ReadonlyMap<string, Identity>> {
  const found = new Map<string, Identity>();
  async function look(folder: string, depth: number): Promise<void> {
    const identity = await identityOf(folder);
    if (identity !== null) {
      found.set(folder, identity);
      return;
    }
    if (depth === DEPTH) return;
    for (const entry of await foldersIn(folder)) await look(join(folder, entry), depth + 1);
  }
  await look(workspace, 0);
  return found;
}

async function identityOf(folder: string): Promise<Identity | null> {
  try {
    return await readIdentity(folder);
  } catch (error) {
    // On a drive that does not answer: it is found again with it.
    if (isAppError(error, 'folder-unavailable')) return null;
    throw error;
  }
}

async function foldersIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && entry.name !== CHECKOUT_FOLDER).map(({ name }) => name);
  } catch (error) {
    // Gone, or closed to us: nothing is kept there.
    if (errorCode(error) === '') throw error;
    return [];
  }
}
