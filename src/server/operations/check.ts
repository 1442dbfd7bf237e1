import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { canonicalCommit } from '../../shared/rules/commit.ts';
import type { Database } from '../database/connection.ts';
import { dialectOf, inTransaction } from '../database/transactions.ts';
import type { BlobStore } from '../storage/blobStore.ts';

/** What a check found. */
export interface CheckReport {
  readonly versions: number;
  readonly commits: number;
  readonly contents: number;
  readonly bytes: number;
  /** Contents that nothing refers to; the server collects them by itself. */
  readonly orphans: number;
  /** What is wrong, a line each; empty when all is well. */
  readonly problems: readonly string[];
}

/** Problems of one kind beyond this many are counted, not listed. */
const LISTED = 50;
const PAGE_SIZE = 500;

/** Collects problems, a bounded number of each kind. */
function createFindings() {
  const lines: string[] = [];
  const counts = new Map<string, number>();
  return {
    add(kind: string, what: string) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      if (count <= LISTED) lines.push(`${kind}: ${what}`);
    },
    all: () => [
      ...lines,
      ...[...counts].flatMap(([kind, count]) => (count > LISTED ? [`${kind}: ${count - LISTED} more`] : [])),
    ],
  };
}

type Findings = ReturnType<typeof createFindings>;

/** What SQLite says of its own file; PostgreSQL looks after its files itself. */
async function checkFile(on: Database, findings: Findings): Promise<void> {
  if (dialectOf(on) !== 'sqlite') return;
  const { rows } = await sql<{ integrity_check: string }>`PRAGMA integrity_check`.execute(on);
  for (const row of rows) if (row.integrity_check !== 'ok') findings.add('database', row.integrity_check);
  const broken = await sql<{ table: string; parent: string }>`PRAGMA foreign_key_check`.execute(on);
  for (const row of broken.rows) findings.add('database', `a row of ${row.table} refers to nothing in ${row.parent}`);
}

/** The last version of a document is its current one. Older ones may be gone, by the days that versions are kept. */
async function checkVersions(on: Database, findings: Findings): Promise<void> {
  for (let after = ''; ; ) {
    const page = await on
      .selectFrom('documents')
      .select(['id', 'name', 'current_version'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_SIZE)
      .execute();
    const last = page.at(-1)?.id;
    if (last === undefined) return;
    const counted = await on
      .selectFrom('versions')
      .select(({ fn }) => ['document_id', fn.max('number').as('last')])
      .where('document_id', '>', after)
      .where('document_id', '<=', last)
      .groupBy('document_id')
      .execute();
    const byDocument = new Map(counted.map((row) => [row.document_id, row]));
    for (const { id, name, current_version } of page) {
      const row = byDocument.get(id);
      if (row === undefined) findings.add('document', `${name} (${id}) has no version`);
      else if (row.last !== current_version) {
        findings.add(
          'document',
          `${name} (${id}) has ${current_version} as its current version, and ${row.last} as its last`,
        );
      }
    }
    after = last;
  }
}

/** Shelves whose documents were counted wrongly. */
async function miscounted(on: Database) {
  const rows = await on
    .selectFrom('shelves')
    .leftJoin('documents', (join) =>
      join.onRef('documents.shelf_id', '=', 'shelves.id').on('documents.deleted', '=', 0),
    )
    .select(({ fn }) => [
      'shelves.id',
      'shelves.name',
      'shelves.document_count',
      fn.count<number>('documents.id').as('actual'),
    ])
    .groupBy(['shelves.id', 'shelves.name', 'shelves.document_count'])
    .having(({ eb, fn, ref }) => eb(fn.count<number>('documents.id'), '!=', ref('shelves.document_count')))
    .execute();
  return rows.map((row) => ({ ...row, actual: Number(row.actual) }));
}

/** Every commit's name is computed anew, and each history has to be one line that ends at its shelf's head. */
async function checkCommits(on: Database, findings: Findings): Promise<number> {
  let count = 0;
  let last: { shelf: string; sequence: number; hash: string; head: string | null } | null = null;
  const ends = () => {
    if (last !== null && last.head !== last.hash)
      findings.add('shelf', `${last.shelf} does not end at its last commit`);
  };
  for (let after = { shelf: '', sequence: 0 }; ; ) {
    const page = await on
      .selectFrom('commits')
      .innerJoin('shelves', 'shelves.id', 'commits.shelf_id')
      .selectAll('commits')
      .select('shelves.head_commit')
      .where(({ or, and, eb }) =>
        or([
          eb('commits.shelf_id', '>', after.shelf),
          and([eb('commits.shelf_id', '=', after.shelf), eb('sequence', '>', after.sequence)]),
        ]),
      )
      .orderBy('commits.shelf_id')
      .orderBy('sequence')
      .limit(PAGE_SIZE)
      .execute();
    if (page.length === 0) {
      ends();
      return count;
    }
    const hashes = page.map(({ hash }) => hash);
    const changes = await on
      .selectFrom('commit_changes')
      .select(['commit_hash', 'code', 'name', 'version_number', 'sha256'])
      .where('commit_hash', 'in', hashes)
      .orderBy('position')
      .execute();
    const byCommit = Map.groupBy(changes, ({ commit_hash }) => commit_hash);
    for (const commit of page) {
      const text = canonicalCommit({
        shelfId: commit.shelf_id,
        parent: commit.parent,
        authorId: commit.author_id,
        createdAt: commit.created_at,
        message: commit.message,
        changes: (byCommit.get(commit.hash) ?? []).map(({ code, name, version_number, sha256 }) => ({
          code,
          name,
          versionNumber: version_number,
          sha256,
        })),
      });
      if (createHash('sha256').update(text).digest('hex') !== commit.hash) {
        findings.add('commit', `${commit.hash.slice(0, 10)} is not what its name says`);
      }
      const isFirst: boolean = last?.shelf !== commit.shelf_id;
      if (isFirst) ends();
      const [parent, sequence] = isFirst || last === null ? [null, 1] : [last.hash, last.sequence + 1];
      if (commit.parent !== parent || commit.sequence !== sequence) {
        findings.add('commit', `${commit.hash.slice(0, 10)} does not follow the one before it`);
      }
      last = { shelf: commit.shelf_id, sequence: commit.sequence, hash: commit.hash, head: commit.head_commit };
    }
    count += page.length;
    after = { shelf: page.at(-1)?.shelf_id ?? '', sequence: page.at(-1)?.sequence ?? 0 };
  }
}

/** Everything that the database says of itself, as of one moment, so that a server that runs beside it makes no difference. */
async function checkDatabase(database: Database, findings: Findings): Promise<number> {
  const work = async (on: Database) => {
    if (dialectOf(on) === 'postgres') await sql`SET LOCAL statement_timeout = 0`.execute(on);
    await checkFile(on, findings);
    await checkVersions(on, findings);
    for (const { name, document_count, actual } of await miscounted(on)) {
      findings.add('shelf', `${name} counts ${document_count} documents and has ${actual}`);
    }
    return checkCommits(on, findings);
  };
  if (dialectOf(database) === 'sqlite') return database.transaction().execute(work);
  // A snapshot is enough, and is never refused.
  return database.transaction().setIsolationLevel('repeatable read').execute(work);
}

async function hashOf(blobs: BlobStore, sha256: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of blobs.read(sha256)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** What is wrong with a content; null when it is there, whole and right. */
async function faultOf(blobs: BlobStore, sha256: string, size: number): Promise<string | null> {
  const actual = await blobs.size(sha256);
  if (actual === null) return 'is missing';
  if (actual !== size) return `has ${actual} bytes, not ${size}`;
  return (await hashOf(blobs, sha256)) === sha256 ? null : 'is damaged';
}

/** A page of the contents that the table refers to, each once, in the order of their hashes. */
function contentsAfter(database: Database, table: 'versions' | 'app_version_files', after: string) {
  return database
    .selectFrom(table)
    .select(({ fn }) => [
      'sha256',
      fn.max('size').as('size'),
      fn.max('name').as('name'),
      fn.countAll<number>().as('count'),
    ])
    .where('sha256', '>', after)
    .groupBy('sha256')
    .orderBy('sha256')
    .limit(PAGE_SIZE)
    .execute();
}

async function isNeeded(database: Database, table: 'versions' | 'app_version_files', sha256: string): Promise<boolean> {
  const row = await database.selectFrom(table).select('sha256').where('sha256', '=', sha256).limit(1).execute();
  return row.length > 0;
}

async function countOrphans(database: Database, blobs: BlobStore): Promise<number> {
  let orphans = 0;
  const count = async (hashes: readonly string[]) => {
    const needed = new Set<string>();
    for (const table of ['versions', 'app_version_files'] as const) {
      const rows = await database.selectFrom(table).select('sha256').distinct().where('sha256', 'in', hashes).execute();
      for (const { sha256 } of rows) needed.add(sha256);
    }
    orphans += hashes.length - needed.size;
  };
  let page: string[] = [];
  for await (const { sha256 } of blobs.list()) {
    page.push(sha256);
    if (page.length < PAGE_SIZE) continue;
    await count(page);
    page = [];
  }
  await count(page);
  return orphans;
}

/** Every content that something refers to has to be there, whole and right. */
async function checkContents(database: Database, blobs: BlobStore, findings: Findings) {
  let [contents, bytes, versions] = [0, 0, 0];
  for (const table of ['versions', 'app_version_files'] as const) {
    for (let after = ''; ; ) {
      const page = await contentsAfter(database, table, after);
      for (const { sha256, size, name, count } of page) {
        const fault = await faultOf(blobs, sha256, Number(size));
        // A content that was let go of while this looked for it is missed by nobody.
        if (fault !== null && (await isNeeded(database, table, sha256))) {
          findings.add('content', `of ${name} (${sha256}) ${fault}`);
        }
        contents += 1;
        bytes += Number(size);
        if (table === 'versions') versions += Number(count);
      }
      const last = page.at(-1)?.sha256;
      if (last === undefined) break;
      after = last;
    }
  }
  return { contents, bytes, versions, orphans: await countOrphans(database, blobs) };
}

/** Checks everything that the server keeps, and changes nothing; it may run beside the server. */
export async function checkServer(database: Database, blobs: BlobStore): Promise<CheckReport> {
  const findings = createFindings();
  const commits = await checkDatabase(database, findings);
  const contents = await checkContents(database, blobs, findings);
  return { ...contents, commits, problems: findings.all() };
}

/**
 * Counts the documents of shelves anew where the count is wrong.
 * @returns the names of the shelves
 */
export function repairCounts(database: Database): Promise<string[]> {
  return inTransaction(database, async (transaction) => {
    const shelves = await miscounted(transaction);
    for (const { id, actual } of shelves) {
      await transaction.updateTable('shelves').set({ document_count: actual }).where('id', '=', id).execute();
    }
    return shelves.map(({ name }) => name);
  });
}
