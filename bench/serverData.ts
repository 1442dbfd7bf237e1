import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { nameKey, nameOrder } from '../src/shared/rules/names.ts';

/** How much is put on a server. */
export interface Amount {
  readonly libraries: number;
  readonly shelvesEach: number;
  readonly documentsEach: number;
  readonly versionsEach: number;
}

const AT = '2026-01-01T00:00:00.000Z';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Writes libraries of other people, or of one of them, straight into a server's database. Contents are names of nothing. */
export function seed(dataDir: string, amount: Amount, ownerId: string | null): { versions: number } {
  const database = new SqliteDatabase(join(dataDir, 'armarium.db'));
  database.pragma('synchronous = OFF');
  database.pragma('foreign_keys = OFF');
  database.pragma('cache_size = -400000');
  const into = (table: string, columns: string) => {
    const names = columns.split(' ');
    return database.prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => '?')})`);
  };
  const user = into('users', 'id email email_key username name plan_type user_type password_hash created_at');
  const library = into('libraries', 'id name name_key owner_id archived created_at');
  const shelf = into(
    'shelves',
    'id library_id name name_key archived head_commit created_at updated_at document_count',
  );
  const member = into('shelf_members', 'shelf_id user_id role');
  const document = into(
    'documents',
    'id shelf_id name name_key name_order original_filename mime current_version deleted',
  );
  const commit = into('commits', 'hash shelf_id sequence parent message author_id created_at');
  const version = into('versions', 'id document_id number name sha256 size mime author_id commit_hash created_at');
  const change = into(
    'commit_changes',
    'commit_hash position code document_id name version_id version_number sha256 size',
  );
  const { libraries, shelvesEach, documentsEach, versionsEach } = amount;
  let versions = 0;
  const one = database.transaction((index: number) => {
    const owner = ownerId ?? randomUUID();
    const tag = `${ownerId === null ? 'other' : 'own'} ${index} ${randomUUID().slice(0, 8)}`;
    if (ownerId === null) user.run(owner, `${tag}@example.org`, `${tag}@example.org`, tag, tag, 2, 1, '', AT);
    const libraryId = randomUUID();
    library.run(libraryId, tag, nameKey(tag), owner, 0, AT);
    for (let s = 0; s < shelvesEach; s += 1) {
      const shelfId = randomUUID();
      const documents = Array.from({ length: documentsEach }, (_, d) => ({
        id: randomUUID(),
        name: `document ${d}.txt`,
      }));
      const head = hashOf(`${shelfId} ${versionsEach}`);
      shelf.run(shelfId, libraryId, `Shelf ${s}`, `shelf ${s}`, 0, head, AT, AT, documentsEach);
      member.run(shelfId, owner, 'owner');
      for (const { id, name } of documents)
        document.run(id, shelfId, name, name, nameOrder(name), name, 'text/plain', versionsEach, 0);
      let parent: string | null = null;
      for (let number = 1; number <= versionsEach; number += 1) {
        const hash = hashOf(`${shelfId} ${number}`);
        commit.run(hash, shelfId, number, parent, `commit ${number}`, owner, AT);
        for (const [position, { id, name }] of documents.entries()) {
          const [versionId, sha256] = [randomUUID(), hashOf(`${id} ${number}`)];
          version.run(versionId, id, number, name, sha256, 1000, 'text/plain', owner, hash, AT);
          change.run(hash, position, number === 1 ? 'A' : 'M', id, name, versionId, number, sha256, 1000);
          versions += 1;
        }
        parent = hash;
      }
    }
  });
  for (let index = 0; index < libraries; index += 1) one(index);
  database.exec('ANALYZE');
  database.close();
  return { versions };
}
