import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { TestServer } from './server.ts';

/** What following the link of a verification mail does. */
export function verifyEmail(server: TestServer, email: string): void {
  const database = new SqliteDatabase(join(server.dataDir, 'armarium.db'));
  database.prepare('UPDATE users SET email_verified = 1 WHERE email = ?').run(email);
  database.close();
}

/** Makes somebody a member of a shelf, as an accepted invitation would. */
export function addMember(
  server: Pick<TestServer, 'dataDir'>,
  shelfId: string,
  username: string,
  role: 'editor' | 'viewer',
): void {
  const database = new SqliteDatabase(join(server.dataDir, 'armarium.db'));
  database
    .prepare('INSERT INTO shelf_members (shelf_id, user_id, role) SELECT ?, id, ? FROM users WHERE username = ?')
    .run(shelfId, role, username);
  database.close();
}
