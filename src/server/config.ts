import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import type { InsightServices } from '../shared/model/insight.ts';
import type { SignUpPolicy } from './auth/accounts.ts';
import type { ProviderId, ProviderOptions } from './auth/providers.ts';
import type { SmtpOptions } from './mail/mailer.ts';
import type { S3Options } from './storage/s3Options.ts';

/** What the environment says about a server; the rest of {@link ServerOptions} is the caller's. */
export interface ServerConfig {
  /** Null leaves the choice to the command. */
  readonly dataDir: string | null;
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | null;
  readonly secret: string | null;
  readonly databaseUrl: string | null;
  readonly s3: S3Options | null;
  readonly smtp: SmtpOptions | null;
  readonly providers: readonly ProviderOptions[];
  readonly signUp: SignUpPolicy;
  readonly trustProxy: string | null;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly logToStdout: boolean;
  readonly metricsToken: string | null;
  readonly libreOffice: string | null;
  readonly services: InsightServices;
}

/** One variable: what it means, for the documentation, and what it may be. */
interface Variable {
  readonly about: string;
  readonly example: string;
  readonly schema: z.ZodType<unknown, string>;
  /** Read from the file that `NAME_FILE` names too, as container secrets are given. */
  readonly secret?: true;
}

const text = z.string().trim().min(1);
const url = (protocol: RegExp) => z.url({ protocol });
const flag = z.enum(['true', 'false', '1', '0']);

/** Names of ranges that the HTTP server knows, besides addresses and networks. */
const RANGES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

function isProxy(entry: string): boolean {
  const [address = '', bits, ...more] = entry.trim().split('/');
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  const isNetwork = bits === undefined || (/^\d{1,3}$/u.test(bits) && Number(bits) > 0 && Number(bits) <= longest);
  return RANGES.includes(entry.trim()) || (longest > 0 && isNetwork && more.length === 0);
}

/** Every variable that the server reads, in the order of the documentation. */
export const VARIABLES = {
  ARMARIUM_DATA: { about: 'Folder of everything that the server keeps', example: '/var/lib/armarium', schema: text },
  ARMARIUM_HOST: {
    about: 'Address to listen on; by default 127.0.0.1, this machine alone',
    example: '0.0.0.0',
    schema: text,
  },
  ARMARIUM_PORT: {
    about: 'Port to listen on; by default 8420',
    example: '8420',
    schema: z
      .string()
      .regex(/^\d{1,5}$/u, 'not a port')
      .refine((port) => Number(port) <= 65_535, 'not a port'),
  },
  ARMARIUM_PUBLIC_URL: {
    about: 'The address that people use; needed when others than this machine reach the server',
    example: 'https://papers.example',
    schema: url(/^https?$/u).refine((value) => new URL(value).pathname === '/', 'a server has no path of its own'),
  },
  ARMARIUM_SECRET: {
    about: 'Secret of at least 32 characters; needed when several servers share a database',
    example: 'output of: openssl rand -base64 48',
    schema: z.string().min(32, 'shorter than 32 characters'),
    secret: true,
  },
  ARMARIUM_DATABASE_URL: {
    about: 'PostgreSQL; without it SQLite in the data folder',
    example: 'postgres://armarium:password@db.example/armarium',
    schema: url(/^postgres(ql)?$/u),
    secret: true,
  },
  ARMARIUM_S3_ENDPOINT: {
    about: 'S3-compatible store for contents; without it a folder below the data folder',
    example: 'https://s3.eu-central-1.amazonaws.com',
    schema: url(/^https?$/u),
  },
  ARMARIUM_S3_PUBLIC_ENDPOINT: {
    about: 'Where browsers reach the store, when that is not where the server does',
    example: 'https://contents.papers.example',
    schema: url(/^https?$/u),
  },
  ARMARIUM_S3_REGION: { about: 'Region of the store', example: 'eu-central-1', schema: text },
  ARMARIUM_S3_BUCKET: { about: 'Bucket of the store', example: 'armarium', schema: text },
  ARMARIUM_S3_ACCESS_KEY_ID: { about: 'Access key', example: 'AKIA…', schema: text, secret: true },
  ARMARIUM_S3_SECRET_ACCESS_KEY: { about: 'Its secret', example: '…', schema: text, secret: true },
  ARMARIUM_S3_PREFIX: {
    about: 'Prefix of all keys, when the bucket holds other things too',
    example: 'armarium/',
    schema: text,
  },
  ARMARIUM_SMTP_URL: {
    about: 'Mail server; without it each mail is written as a file',
    example: 'smtps://user:password@mail.example:465',
    schema: url(/^smtps?$/u),
    secret: true,
  },
  ARMARIUM_MAIL_FROM: { about: 'Sender of mails', example: 'Armarium <papers@example.org>', schema: text },
  ARMARIUM_OIDC_ISSUER: {
    about: 'Issuer of an OpenID Connect provider (Keycloak, Authentik, Entra …)',
    example: 'https://sso.example/realms/main',
    schema: url(/^https?$/u),
  },
  ARMARIUM_OIDC_CLIENT_ID: { about: 'Client id there', example: 'armarium', schema: text },
  ARMARIUM_OIDC_CLIENT_SECRET: { about: 'Client secret there', example: '…', schema: text, secret: true },
  ARMARIUM_OIDC_LABEL: {
    about: 'Its name on the button; by default the host of the issuer',
    example: 'Our SSO',
    schema: text,
  },
  ARMARIUM_GOOGLE_CLIENT_ID: { about: 'Sign in with Google', example: '….apps.googleusercontent.com', schema: text },
  ARMARIUM_GOOGLE_CLIENT_SECRET: { about: 'Its secret', example: '…', schema: text, secret: true },
  ARMARIUM_MICROSOFT_CLIENT_ID: { about: 'Sign in with Microsoft', example: '…', schema: text },
  ARMARIUM_MICROSOFT_CLIENT_SECRET: { about: 'Its secret', example: '…', schema: text, secret: true },
  ARMARIUM_MICROSOFT_TENANT: {
    about: 'Id of the Microsoft tenant whose people may sign in',
    example: '…',
    schema: text,
  },
  ARMARIUM_APPLE_CLIENT_ID: { about: 'Sign in with Apple', example: 'org.example.papers', schema: text },
  ARMARIUM_APPLE_CLIENT_SECRET: { about: 'Its secret, a signed token', example: '…', schema: text, secret: true },
  ARMARIUM_SIGN_UP: {
    about: 'Who may make an account: open (default), invited, closed',
    example: 'invited',
    schema: z.enum(['open', 'invited', 'closed']),
  },
  ARMARIUM_TRUST_PROXY: {
    about:
      'Reverse proxies that are believed to say where a request comes from: addresses, networks, loopback, linklocal, uniquelocal; separated by commas',
    example: '127.0.0.1, 10.0.0.0/8',
    schema: text.refine((value) => value.split(',').every(isProxy), 'not addresses or networks'),
  },
  ARMARIUM_LOG_LEVEL: {
    about: 'What is logged: debug, info (default), warn, error',
    example: 'warn',
    schema: z.enum(['debug', 'info', 'warn', 'error']),
  },
  ARMARIUM_LOG_STDOUT: { about: 'Log to standard output instead of files', example: 'true', schema: flag },
  ARMARIUM_METRICS_TOKEN: {
    about: 'Bearer token for /metrics; without it this machine alone may read them',
    example: '…',
    schema: z.string().min(16, 'shorter than 16 characters'),
    secret: true,
  },
  ARMARIUM_LIBREOFFICE: {
    about: "LibreOffice's program, for PDFs; by default soffice on the path",
    example: '/usr/bin/soffice',
    schema: text,
  },
  ARMARIUM_POSTHOG_KEY: {
    about: 'Project key of PostHog, which counts for those who consent; without it nothing of it is loaded',
    example: 'phc_…',
    schema: text,
  },
  ARMARIUM_POSTHOG_HOST: {
    about: 'Where it is told; by default https://eu.i.posthog.com',
    example: 'https://counts.example',
    schema: url(/^https?$/u),
  },
  ARMARIUM_SENTRY_DSN: {
    about: 'DSN of Sentry, which hears of errors of those who consent; without it nothing of it is loaded',
    example: 'https://key@errors.example/1',
    schema: url(/^https?$/u),
  },
} as const satisfies Readonly<Record<string, Variable>>;
export type VariableName = keyof typeof VARIABLES;

/** Variables that only mean something together; the others of a group are optional. */
const TOGETHER: readonly (readonly VariableName[])[] = [
  [
    'ARMARIUM_S3_ENDPOINT',
    'ARMARIUM_S3_REGION',
    'ARMARIUM_S3_BUCKET',
    'ARMARIUM_S3_ACCESS_KEY_ID',
    'ARMARIUM_S3_SECRET_ACCESS_KEY',
  ],
  ['ARMARIUM_SMTP_URL', 'ARMARIUM_MAIL_FROM'],
  ['ARMARIUM_OIDC_ISSUER', 'ARMARIUM_OIDC_CLIENT_ID', 'ARMARIUM_OIDC_CLIENT_SECRET'],
  ['ARMARIUM_GOOGLE_CLIENT_ID', 'ARMARIUM_GOOGLE_CLIENT_SECRET'],
  ['ARMARIUM_MICROSOFT_CLIENT_ID', 'ARMARIUM_MICROSOFT_CLIENT_SECRET', 'ARMARIUM_MICROSOFT_TENANT'],
  ['ARMARIUM_APPLE_CLIENT_ID', 'ARMARIUM_APPLE_CLIENT_SECRET'],
];

/** Variables that mean nothing without another. */
const ONLY_WITH: readonly (readonly [VariableName, VariableName])[] = [
  ['ARMARIUM_S3_PUBLIC_ENDPOINT', 'ARMARIUM_S3_ENDPOINT'],
  ['ARMARIUM_S3_PREFIX', 'ARMARIUM_S3_ENDPOINT'],
  ['ARMARIUM_OIDC_LABEL', 'ARMARIUM_OIDC_ISSUER'],
  ['ARMARIUM_POSTHOG_HOST', 'ARMARIUM_POSTHOG_KEY'],
];

/** Variables of other parts of the product (tests, benchmarks, the command that starts everything). */
const OTHERS = /^ARMARIUM_(TEST|BENCH|STAND_IN|E2E|DEV)_/u;

/** What is wrong with the environment, all of it at once, a line each. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const isName = (name: string): name is VariableName => Object.hasOwn(VARIABLES, name);

/** The values as they are given, by variable or by the file that it names. */
function collect(env: NodeJS.ProcessEnv, problems: string[]): Map<VariableName, string> {
  const values = new Map<VariableName, string>();
  for (const [key, value] of Object.entries(env)) {
    if (!key.startsWith('ARMARIUM_') || OTHERS.test(key) || value === undefined || value === '') continue;
    const base = key.replace(/_FILE$/u, '');
    const isFile = base !== key && isName(base) && 'secret' in VARIABLES[base];
    if (isFile && isName(base)) {
      if (env[base] !== undefined) problems.push(`${key}: ${base} is set too; set one of them`);
      try {
        values.set(base, readFileSync(value, 'utf8').trimEnd());
      } catch (error) {
        problems.push(`${key}: ${value} cannot be read (${(error as NodeJS.ErrnoException).code})`);
      }
    } else if (isName(key)) values.set(key, value);
    else {
      const [nearest] = Object.keys(VARIABLES).sort((a, b) => distance(a, key) - distance(b, key));
      problems.push(`${key}: there is no such setting; is ${nearest} meant?`);
    }
  }
  return values;
}

/**
 * Reads the configuration from environment variables.
 * @throws ConfigError with every problem, each naming its variable and an example, and never a secret's value
 */
export function readConfig(env: NodeJS.ProcessEnv): ServerConfig {
  const problems: string[] = [];
  const values = collect(env, problems);
  for (const [name, value] of values) {
    const parsed = VARIABLES[name].schema.safeParse(value);
    if (!parsed.success) {
      const why = parsed.error.issues[0]?.message ?? 'not valid';
      problems.push(`${name}: ${why}; an example: ${VARIABLES[name].example}`);
    }
  }
  for (const group of TOGETHER) {
    const missing = group.filter((name) => !values.has(name));
    if (missing.length === 0 || missing.length === group.length) continue;
    const given = group.filter((name) => values.has(name));
    problems.push(`${missing.join(', ')}: needed together with ${given.join(', ')}`);
  }
  for (const [name, other] of ONLY_WITH) {
    if (values.has(name) && !values.has(other)) problems.push(`${name}: means nothing without ${other}`);
  }
  const get = (name: VariableName) => values.get(name) ?? null;
  const host = get('ARMARIUM_HOST') ?? '127.0.0.1';
  const isLoopback = host === 'localhost' || host === '::1' || host.startsWith('127.');
  if (!isLoopback && get('ARMARIUM_PUBLIC_URL') === null) {
    problems.push(
      `ARMARIUM_PUBLIC_URL: needed when the server listens on ${host}; an example: ${VARIABLES.ARMARIUM_PUBLIC_URL.example}`,
    );
  }
  if (get('ARMARIUM_DATABASE_URL') !== null && get('ARMARIUM_SECRET') === null) {
    problems.push(
      `ARMARIUM_SECRET: needed with ARMARIUM_DATABASE_URL, the same on every server; ${VARIABLES.ARMARIUM_SECRET.example}`,
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);

  const provider = (id: ProviderId, prefix: string, label: string, issuer: string | null): ProviderOptions[] => {
    const [clientId, clientSecret] = [`ARMARIUM_${prefix}_CLIENT_ID`, `ARMARIUM_${prefix}_CLIENT_SECRET`].map((name) =>
      isName(name) ? get(name) : null,
    );
    if (issuer === null || clientId == null || clientSecret == null) return [];
    return [{ id, label, issuer, clientId, clientSecret }];
  };
  const oidcIssuer = get('ARMARIUM_OIDC_ISSUER');
  const oidcLabel = get('ARMARIUM_OIDC_LABEL') ?? (oidcIssuer === null ? '' : new URL(oidcIssuer).hostname);
  const tenant = get('ARMARIUM_MICROSOFT_TENANT');
  const microsoft = tenant === null ? null : `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/v2.0`;
  const [endpoint, smtpUrl] = [get('ARMARIUM_S3_ENDPOINT'), get('ARMARIUM_SMTP_URL')];
  const [posthogKey, sentryDsn] = [get('ARMARIUM_POSTHOG_KEY'), get('ARMARIUM_SENTRY_DSN')];
  return {
    dataDir: get('ARMARIUM_DATA'),
    host,
    port: Number(get('ARMARIUM_PORT') ?? 8420),
    publicUrl: get('ARMARIUM_PUBLIC_URL'),
    secret: get('ARMARIUM_SECRET'),
    databaseUrl: get('ARMARIUM_DATABASE_URL'),
    s3:
      endpoint === null
        ? null
        : {
            endpoint,
            publicEndpoint: get('ARMARIUM_S3_PUBLIC_ENDPOINT'),
            region: get('ARMARIUM_S3_REGION') ?? '',
            bucket: get('ARMARIUM_S3_BUCKET') ?? '',
            accessKeyId: get('ARMARIUM_S3_ACCESS_KEY_ID') ?? '',
            secretAccessKey: get('ARMARIUM_S3_SECRET_ACCESS_KEY') ?? '',
            prefix: get('ARMARIUM_S3_PREFIX') ?? '',
          },
    smtp: smtpUrl === null ? null : { url: smtpUrl, from: get('ARMARIUM_MAIL_FROM') ?? '' },
    providers: [
      ...provider('google', 'GOOGLE', 'Google', 'https://accounts.google.com'),
      ...provider('microsoft', 'MICROSOFT', 'Microsoft', microsoft),
      ...provider('apple', 'APPLE', 'Apple', 'https://appleid.apple.com'),
      ...provider('oidc', 'OIDC', oidcLabel, oidcIssuer),
    ],
    signUp: (get('ARMARIUM_SIGN_UP') ?? 'open') as SignUpPolicy,
    trustProxy: get('ARMARIUM_TRUST_PROXY'),
    logLevel: (get('ARMARIUM_LOG_LEVEL') ?? 'info') as ServerConfig['logLevel'],
    logToStdout: ['true', '1'].includes(get('ARMARIUM_LOG_STDOUT') ?? ''),
    metricsToken: get('ARMARIUM_METRICS_TOKEN'),
    libreOffice: get('ARMARIUM_LIBREOFFICE'),
    services: {
      posthog:
        posthogKey === null
          ? null
          : { key: posthogKey, host: get('ARMARIUM_POSTHOG_HOST') ?? 'https://eu.i.posthog.com' },
      sentry: sentryDsn === null ? null : { dsn: sentryDsn },
    },
  };
}
