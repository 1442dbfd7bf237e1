import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, VARIABLES } from '../../../src/server/config.ts';

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
}

describe('configuration', () => {
  it('works with nothing set', () => {
    expect(readConfig({ PATH: '/usr/bin' })).toMatchObject({
      host: '127.0.0.1',
      port: 8420,
      publicUrl: null,
      databaseUrl: null,
      s3: null,
      smtp: null,
      providers: [],
      signUp: 'open',
    });
  });
  it('names every problem at once, with an example, and never a secret', () => {
    const problems = problemsOf({
      ARMARIUM_PORT: '99999',
      ARMARIUM_HOST: '0.0.0.0',
      ARMARIUM_SMTP_URL: 'smtps://user:hunter2hunter2@',
      ARMARIUM_SECRET: 'too short',
      ARMARIUM_SIGN_UP: 'maybe',
      ARMARIUM_DATABSE_URL: 'x',
    });
    expect(problems.map((problem) => problem.split(':')[0]).sort()).toEqual([
      'ARMARIUM_DATABSE_URL',
      'ARMARIUM_MAIL_FROM',
      'ARMARIUM_PORT',
      'ARMARIUM_PUBLIC_URL',
      'ARMARIUM_SECRET',
      'ARMARIUM_SIGN_UP',
      'ARMARIUM_SMTP_URL',
    ]);
    expect(problems.join('\n')).toContain('is ARMARIUM_DATABASE_URL meant?');
    expect(problems.join('\n')).not.toMatch(/hunter2|too short/u);
  });
  it('wants what belongs together together', () => {
    expect(problemsOf({ ARMARIUM_S3_BUCKET: 'papers' })[0]).toContain('needed together with ARMARIUM_S3_BUCKET');
    expect(problemsOf({ ARMARIUM_DATABASE_URL: 'postgres://localhost/armarium' })[0]).toMatch(/^ARMARIUM_SECRET:/u);
  });
  it('refuses what means nothing alone, and proxies that are no addresses', () => {
    expect(problemsOf({ ARMARIUM_S3_PREFIX: 'x/' })).toEqual([
      'ARMARIUM_S3_PREFIX: means nothing without ARMARIUM_S3_ENDPOINT',
    ]);
    const trust = (value: string) => problemsOf({ ARMARIUM_TRUST_PROXY: value }).length;
    expect(['127.0.0.1, 10.0.0.0/8', '::1', 'fd00::/8', 'uniquelocal,loopback'].map(trust)).toEqual([0, 0, 0, 0]);
    expect(['true', '1', '10.0.0.0/33', '10.0.0.1/', 'proxy.example', '1.2.3.4,'].map(trust)).toEqual([
      1, 1, 1, 1, 1, 1,
    ]);
  });
  it('sets a provider up by three variables', () => {
    const { providers } = readConfig({
      ARMARIUM_OIDC_ISSUER: 'https://sso.example/realms/main',
      ARMARIUM_OIDC_CLIENT_ID: 'armarium',
      ARMARIUM_OIDC_CLIENT_SECRET: 'secret',
    });
    expect(providers).toEqual([
      {
        id: 'oidc',
        label: 'sso.example',
        issuer: 'https://sso.example/realms/main',
        clientId: 'armarium',
        clientSecret: 'secret',
      },
    ]);
  });
  it('reads secrets from files, as containers give them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'armarium-config-'));
    const file = join(folder, 'secret');
    writeFileSync(file, `${'s'.repeat(40)}\n`);
    expect(readConfig({ ARMARIUM_SECRET_FILE: file }).secret).toBe('s'.repeat(40));
    expect(problemsOf({ ARMARIUM_SECRET_FILE: join(folder, 'none') })[0]).toContain('cannot be read');
    expect(problemsOf({ ARMARIUM_SECRET_FILE: file, ARMARIUM_SECRET: 'x'.repeat(40) })[0]).toContain('one of them');
    rmSync(folder, { recursive: true });
  });
  it('stands whole in the documentation', async () => {
    const text = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'operations.md'), 'utf8');
    const rows = Object.entries(VARIABLES).map(
      ([name, { about, example, ...rest }]) =>
        `| \`${name}\`${'secret' in rest ? ' *' : ''} | ${about} | \`${example}\` |`,
    );
    const documented = text.split('\n').filter((line) => line.startsWith('| `ARMARIUM_') && line.split('|').length > 4);
    expect(documented).toEqual(rows);
  });
});
