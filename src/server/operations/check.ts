import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { canonicalCommit } from '../../shared/rules/commit.ts';
import type { Database } from '../database/connection.ts';
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

async function checkDatabase(database: Database, dialect: 'sqlite' | 'postgres', findings: Findings): Promise<void> {
  if (dialect === 'sqlite') {
    const { rows } = await sql<{ integrity_check: string }>`PRAGMA integrity_check`.execute(database);
    for (const row of rows) if (row.integrity_check !== 'ok') findings.add('database', row.integrity_check);
    const broken = await sql<{ table: string; parent: string }>`PRAGMA foreign_key_check`.execute(database);
    for (const row of broken.rows) findings.add('database', `a row of ${row.table} refers to nothing in ${row.parent}`);
  }
  const headless = await database
    .selectFrom('documents')
    .leftJoin('versions', (join) =>
      join
        .onRef('versions.document_id', '=', 'documents.id')
        .onRef('versions.number', '=', 'documents.current_version'),
    )
    .select(['documents.id', 'documents.name'])
    .where('versions.id', 'is', null)
    .execute();
  for (const row of headless) findings.add('document', `${row.name} (${row.id}) has no current version`);
  const beyond = await database
    .selectFrom('versions')
    .innerJoin('documents', 'documents.id', 'versions.document_id')
    .select(['documents.name', 'versions.number'])
    .whereRef('versions.number', '>', 'documents.current_version')
    .execute();
  for (const row of beyond) findings.add('document', `${row.name} has version ${row.number} beyond its current one`);
  const counted = await database
    .selectFrom('shelves')
    .leftJoin('documents', (join) =>
      join.onRef('documents.shelf_id', '=', 'shelves.id').on('documents.deleted', '=', 0),
    )
    .select(({ fn }) => ['shelves.name', 'shelves.document_count', fn.count<number>('documents.id').as('actual')])
    .groupBy(['shelves.id', 'shelves.name', 'shelves.document_count'])
    .execute();
  for (const { name, document_count, actual } of counted) {
    if (document_count !== Number(actual)) {
      findings.add('shelf', `${name} counts ${document_count} documents and has ${actual}`);
    }
  }
}

/** Every commit's name is computed anew, and each history has to be one line. */
async function checkCommits(database: Database, findings: Findings): Promise<number> {
  let count = 0;
  let last: { shelf: string; sequence: number; hash: string } | null = null;
  for (let after = { shelf: '', sequence: 0 }; ; ) {
    const page = await database
      .selectFrom('commits')
      .selectAll()
      .where(({ or, and, eb }) =>
        or([
          eb('shelf_id', '>', after.shelf),
          and([eb('shelf_id', '=', after.shelf), eb('sequence', '>', after.sequence)]),
        ]),
      )
      .orderBy('shelf_id')
      .orderBy('sequence')
      .limit(PAGE_SIZE)
      .execute();
    if (page.length === 0) return count;
    const changes = await database
      .selectFrom('commit_changes')
      .select(['commit_hash', 'code', 'name', 'version_number', 'sha256'])
      .where(
        'commit_hash',
        'in',
        page.map(({ hash }) => hash),
      )
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
      const actual = createHash('sha256').update(text).digest('hex');
      if (actual !== commit.hash) findings.add('commit', `${commit.hash.slice(0, 10)} is not what its name says`);
      const isFirst = last === null || last.shelf !== commit.shelf_id;
      const parent: string | null = isFirst ? null : (last?.hash ?? null);
      const sequence: number = isFirst ? 1 : (last?.sequence ?? 0) + 1;
      if (commit.parent !== parent || commit.sequence !== sequence) {
        findings.add('commit', `${commit.hash.slice(0, 10)} does not follow the one before it`);
      }
      last = { shelf: commit.shelf_id, sequence: commit.sequence, hash: commit.hash };
    }
    count += page.length;
    after = { shelf: page.at(-1)?.shelf_id ?? '', sequence: page.at(-1)?.sequence ?? 0 };
  }
}

async function hashOf(blobs: BlobStore, sha256: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of blobs.read(sha256)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Every content that something refers to has to be there, whole and right. */
async function checkContents(database: Database, blobs: BlobStore, findings: Findings) {
  let [contents, bytes, versions] = [0, 0, 0];
  const seen = new Set<string>();
  for (let after = ''; ; ) {
    const page = await database
      .selectFrom('versions')
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
    for (const { sha256, size, name, count } of page) {
      seen.add(sha256);
      contents += 1;
      versions += Number(count);
      const actual = await blobs.size(sha256);
      if (actual === null) findings.add('content', `of ${name} (${sha256}) is missing`);
      else if (actual !== Number(size))
        findings.add('content', `of ${name} (${sha256}) has ${actual} bytes, not ${size}`);
      else if ((await hashOf(blobs, sha256)) !== sha256) findings.add('content', `of ${name} (${sha256}) is damaged`);
      bytes += actual ?? 0;
    }
    const lastOne = page.at(-1)?.sha256;
    if (lastOne === undefined) break;
    after = lastOne;
  }
  const installers = await database.selectFrom('app_version_files').select(['sha256', 'name']).execute();
  for (const { sha256, name } of installers) {
    seen.add(sha256);
    if ((await blobs.size(sha256)) === null) findings.add('content', `of the installer ${name} is missing`);
  }
  let orphans = 0;
  for await (const { sha256 } of blobs.list()) if (!seen.has(sha256)) orphans += 1;
  return { contents, bytes, versions, orphans };
}

/** Checks everything that the server keeps, and changes nothing; it may run beside the server. */
export async function checkServer(
  database: Database,
  dialect: 'sqlite' | 'postgres',
  blobs: BlobStore,
): Promise<CheckReport> {
  const findings = createFindings();
  await checkDatabase(database, dialect, findings);
  const commits = await checkCommits(database, findings);
  const contents = await checkContents(database, blobs, findings);
  return { ...contents, commits, problems: findings.all() };
}
