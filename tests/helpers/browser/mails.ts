import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import PostalMime from 'postal-mime';
import type { RunningServer } from './runServer.ts';

/** The newest link of a path in a mail to an address, once the server has written one. */
export async function linkInMail(server: RunningServer, address: string, path: string): Promise<string> {
  const folder = join(server.dataDir, 'mail');
  const find = async (): Promise<string | undefined> => {
    const mails = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const file = join(folder, name);
        const [{ mtimeMs: writtenAt }, mail] = await Promise.all([stat(file), readFile(file)]);
        return { writtenAt, ...(await new PostalMime().parse(mail)) };
      }),
    );
    return mails
      .sort((a, b) => a.writtenAt - b.writtenAt)
      .filter(({ to }) => to?.some((each) => each.address === address))
      .flatMap(({ text }) => text?.match(/https?:\/\/\S+/gu) ?? [])
      .findLast((link) => new URL(link).pathname === path);
  };
  await expect.poll(find).toBeDefined();
  return (await find()) ?? '';
}
