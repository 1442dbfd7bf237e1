/** Where a link or a heading of the outline leads: by name, or spelled out. */
export type Destination = string | readonly unknown[];

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** An address that a document may lead to; null for any that could start something else than a browser or a mail. */
export function safeAddress(address: unknown): string | null {
  if (typeof address !== 'string' || !URL.canParse(address)) return null;
  const { protocol, username, password, href } = new URL(address);
  return SCHEMES.has(protocol) && username === '' && password === '' ? href : null;
}
