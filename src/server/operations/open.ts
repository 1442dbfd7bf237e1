import type { ServerConfig } from '../config.ts';
import { openDatabase } from '../database/connection.ts';
import { readServerKey } from '../serverKey.ts';
import { createFolderBlobStore } from '../storage/folderBlobStore.ts';
import { createSignedUrls } from '../storage/signedUrls.ts';

/** What a command needs of a server's data; it may run beside the server. */
export async function openData(config: Pick<ServerConfig, 'secret' | 'databaseUrl'> & { readonly dataDir: string }) {
  const { dataDir, secret, databaseUrl } = config;
  const key = readServerKey(dataDir, secret);
  const database = await openDatabase({ dataDir, databaseUrl });
  const blobs = createFolderBlobStore(dataDir, createSignedUrls(key.derive('storage urls'), Date.now));
  return { key, database, blobs };
}
