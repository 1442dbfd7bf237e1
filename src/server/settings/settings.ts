import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import type { PlanType } from '../../shared/model/common.ts';
import { type Settings, type SettingsChange, Settings as SettingsModel } from '../../shared/model/settings.ts';
import { PLAN_LIMITS, type PlanLimits } from '../../shared/rules/limits.ts';
import type { SignUpPolicy } from '../auth/accounts.ts';
import type { ProviderOptions } from '../auth/providers.ts';
import type { Database } from '../database/connection.ts';
import type { SmtpOptions } from '../mail/mailer.ts';
import type { Sealer } from '../sealer.ts';

/** What the environment says, which counts until the administrator says something else. */
export interface SettingsDefaults {
  readonly smtp: SmtpOptions | null;
  readonly providers: readonly ProviderOptions[];
  readonly signUp: SignUpPolicy;
}

/** What the administrator set, for all servers on one database. */
export interface ServerSettings {
  read(): Promise<Settings>;
  /** Inside the caller's transaction. @throws AppError `bad-request` for a provider without its secret */
  change(transaction: Database, change: SettingsChange): Promise<void>;
  /** Reads on the caller's transaction where there is one: a second connection would wait for it for ever. */
  limitsOf(on: Database, plan: PlanType): Promise<PlanLimits>;
  signUpPolicy(): Promise<SignUpPolicy>;
  trashDays(): Promise<number>;
  versionDays(): Promise<number | null>;
  smtp(): Promise<SmtpOptions | null>;
  providers(): Promise<readonly ProviderOptions[]>;
}

const KEY = 'server';
const TRASH_DAYS = 30;

/** What is stored: what was set, with its secrets sealed. */
const Stored = z
  .object({
    ...SettingsModel.omit({ smtp: true, providers: true }).shape,
    smtp: SettingsModel.shape.smtp
      .unwrap()
      .omit({ has_password: true })
      .extend({ password: z.string().nullable() })
      .nullable(),
    providers: z.array(
      SettingsModel.shape.providers.element.omit({ has_secret: true }).extend({ client_secret: z.string() }),
    ),
  })
  .partial();
type Stored = z.infer<typeof Stored>;

/** Makes the service. */
export function createSettings(options: {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly defaults: SettingsDefaults;
  readonly now: () => number;
}): ServerSettings {
  const { database, sealer, defaults, now } = options;

  async function current(on = database): Promise<Stored> {
    const row = await on.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst();
    return row === undefined ? {} : Stored.parse(JSON.parse(row.value));
  }

  /** An SMTP address of the environment in the fields of the form. */
  function fieldsOf({ url, from }: SmtpOptions): NonNullable<Settings['smtp']> {
    const { protocol, hostname, port, username, password } = new URL(url);
    const secure = protocol === 'smtps:';
    return {
      host: hostname,
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      username: decodeURIComponent(username),
      from,
      has_password: password !== '',
    };
  }

  /**
   * A password that is not written stays, also that of the environment, but for its own host alone: sent to another, it would
   * be read. An empty one is none.
   */
  async function passwordOf(
    { host, password }: NonNullable<SettingsChange['smtp']>,
    { smtp }: Stored,
  ): Promise<string | null> {
    if (password !== undefined) return password === '' ? null : sealer.seal(password);
    if (smtp !== undefined) return smtp?.host === host ? smtp.password : null;
    if (defaults.smtp === null || fieldsOf(defaults.smtp).host !== host) return null;
    const fromStart = decodeURIComponent(new URL(defaults.smtp.url).password);
    return fromStart === '' ? null : sealer.seal(fromStart);
  }

  return {
    async read() {
      const stored = await current();
      const smtp = stored.smtp;
      return {
        plan_limits: stored.plan_limits ?? PLAN_LIMITS,
        sign_up: stored.sign_up ?? defaults.signUp,
        trash_days: stored.trash_days ?? TRASH_DAYS,
        version_days: stored.version_days ?? null,
        smtp:
          smtp === undefined
            ? defaults.smtp === null
              ? null
              : fieldsOf(defaults.smtp)
            : smtp === null
              ? null
              : {
                  host: smtp.host,
                  port: smtp.port,
                  secure: smtp.secure,
                  username: smtp.username,
                  from: smtp.from,
                  has_password: smtp.password !== null,
                },
        providers:
          stored.providers === undefined
            ? defaults.providers.map(({ id, label, issuer, clientId }) => ({
                id,
                label,
                issuer,
                client_id: clientId,
                has_secret: true,
              }))
            : stored.providers.map(({ client_secret: _, ...provider }) => ({ ...provider, has_secret: true })),
      };
    },
    async change(transaction, change) {
      const before = await current(transaction);
      const { smtp, providers, ...plain } = change;
      const after: Stored = { ...before, ...plain };
      if (smtp !== undefined) {
        after.smtp = smtp === null ? null : { ...smtp, password: await passwordOf(smtp, before) };
      }
      if (providers !== undefined) {
        after.providers = await Promise.all(
          providers.map(async ({ client_secret, ...provider }) => {
            const kept = before.providers?.find(({ id }) => id === provider.id)?.client_secret;
            const fromStart = defaults.providers.find(({ id }) => id === provider.id)?.clientSecret;
            const known = client_secret ?? (kept === undefined ? fromStart : undefined);
            if (known !== undefined) return { ...provider, client_secret: await sealer.seal(known) };
            if (kept === undefined)
              throw new AppError('bad-request', `the client secret of ${provider.label} is missing`);
            return { ...provider, client_secret: kept };
          }),
        );
      }
      const row = { value: JSON.stringify(Stored.parse(after)), updated_at: new Date(now()).toISOString() };
      await transaction
        .insertInto('settings')
        .values({ key: KEY, ...row })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
        .execute();
    },
    limitsOf: async (on, plan) => ((await current(on)).plan_limits ?? PLAN_LIMITS)[plan],
    signUpPolicy: async () => (await current()).sign_up ?? defaults.signUp,
    trashDays: async () => (await current()).trash_days ?? TRASH_DAYS,
    versionDays: async () => (await current()).version_days ?? null,
    async smtp() {
      const { smtp } = await current();
      if (smtp === undefined) return defaults.smtp;
      if (smtp === null) return null;
      const url = new URL(`${smtp.secure ? 'smtps' : 'smtp'}://${smtp.host}:${smtp.port}`);
      url.username = encodeURIComponent(smtp.username);
      if (smtp.password !== null) url.password = encodeURIComponent(await sealer.open(smtp.password));
      return { url: url.href, from: smtp.from };
    },
    async providers() {
      const { providers } = await current();
      if (providers === undefined) return defaults.providers;
      return Promise.all(
        providers.map(async ({ client_id, client_secret, ...provider }) => ({
          ...provider,
          clientId: client_id,
          clientSecret: await sealer.open(client_secret),
        })),
      );
    },
  };
}
