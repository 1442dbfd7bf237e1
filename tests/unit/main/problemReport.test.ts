import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { withoutSecrets } from '../../../src/main/withoutSecrets.ts';

vi.mock('electron', () => ({ app: {} }));
const { writeReport } = await import('../../../src/main/problemReport.ts');

const HOME = '/home/ana';
const SECRETS = [
  'Authorization: Bearer abc.DEF-123',
  '{"access_token":"abc","password":"four \\"quiet\\" rooms"}',
  'token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJl is late',
  'https://user:hunter2@example.org/x',
  'http://127.0.0.1:4000/callback?code=topsecret&state=xyz',
  '/api/v1/shared/aVeryLongLinkToken_1/',
  '/storage/part-key-123?signature=s',
  'code_verifier=verysecret',
  'mail of ana@example.org bounced',
];
const LOST = /abc|quiet|eyJ|hunter2|topsecret|xyz|aVeryLong|part-key|verysecret|ana@|=s\b/u;

describe('a report without secrets', () => {
  it.each(SECRETS)('cuts them out of %s', (line) => {
    expect(withoutSecrets(line, HOME)).not.toMatch(LOST);
  });
  it('keeps what helps, and names nobody by the folder of the home', () => {
    const line =
      '{"level":50,"code":"index-unavailable","path":"/home/ana/Documents/x","msg":"the index did not open"}';
    expect(withoutSecrets(line, HOME)).toBe(line.replace('/home/ana', '~'));
    expect(withoutSecrets('{"path":"C:\\\\Users\\\\ana\\\\x"}', 'C:\\Users\\ana')).toBe('{"path":"~\\\\x"}');
  });
});

describe('the file of a report', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'armarium-report-'));
    await mkdir(join(folder, 'logs'));
    await writeFile(join(folder, 'logs', 'main.log'), `${SECRETS.join('\n')}\nthe index process ended\n`);
    await writeFile(join(folder, 'logs', 'main.log.1'), 'older');
    await writeFile(join(folder, 'logs', 'tokens.json'), '{"x":"not a log"}');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('holds facts and logs, nothing else, and no secret', async () => {
    const file = join(folder, 'report.zip');
    await writeReport(file, {
      facts: { settings: { serverUrl: 'https://docs.example.org', workspaceFolder: `${HOME}/Papers` } },
      logs: { main: join(folder, 'logs'), server: join(folder, 'nothing') },
      home: HOME,
    });
    const entries = unzipSync(new Uint8Array(await readFile(file)));
    expect(Object.keys(entries).sort()).toEqual(['logs/main/main.log', 'logs/main/main.log.1', 'settings.json']);
    const texts = Object.values(entries).map((bytes) => new TextDecoder().decode(bytes));
    expect(texts.join('\n')).not.toMatch(LOST);
    expect(texts.join('\n')).toContain('the index process ended');
    expect(texts.join('\n')).toContain('~/Papers');
  });
  it('is not left half written where it cannot be written', async () => {
    await expect(writeReport(join(folder, 'missing', 'report.zip'), { facts: {}, logs: {} })).rejects.toMatchObject({
      code: 'folder-unavailable',
    });
  });
});
