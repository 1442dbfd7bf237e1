import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

/** Somebody as the provider knows them. */
export interface ProviderPerson {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
}

export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who signs in there next. */
  person: ProviderPerson;
  /** Set to have the person say no. */
  refuses: boolean;
  close(): Promise<void>;
}

/** A certified OpenID Connect provider on this machine that signs `person` in without asking. */
export async function startProvider(redirectUris: () => string[]): Promise<TestProvider> {
  let handler: ((request: unknown, response: unknown) => void) | null = null;
  const server: Server = createServer((request, response) => handler?.(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['armarium', 'a secret of the test'];
  const state: TestProvider = {
    issuer,
    clientId,
    clientSecret,
    person: { sub: 'nobody', email: '', email_verified: false, name: '' },
    refuses: false,
    close: () => new Promise((done) => server.close(() => done())),
  };
  const configuration: Configuration = {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris() }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...state.person, sub }) }),
    cookies: { keys: ['a key of the test'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
  };
  const provider = new Provider(issuer, configuration);
  const callback = provider.callback();
  handler = async (request, response) => {
    const [incoming, outgoing] = [request, response] as Parameters<typeof callback>;
    if (incoming.url?.startsWith('/interaction/') !== true) {
      callback(incoming, outgoing);
      return;
    }
    const { prompt, params } = await provider.interactionDetails(incoming, outgoing);
    if (state.refuses) {
      await provider.interactionFinished(incoming, outgoing, { error: 'access_denied' });
    } else if (prompt.name === 'login') {
      await provider.interactionFinished(incoming, outgoing, { login: { accountId: state.person.sub } });
    } else {
      const grant = new provider.Grant({ accountId: state.person.sub, clientId: String(params.client_id) });
      grant.addOIDCScope('openid email profile');
      const grantId = await grant.save();
      await provider.interactionFinished(incoming, outgoing, { consent: { grantId } });
    }
  };
  return state;
}
