/** Words whose values are nobody's business but the person's. */
const NAMES =
  'access_token|refresh_token|id_token|password|passphrase|secret|client_secret|code_verifier|authorization|cookie|set-cookie|api[_-]?key|signature';

const RULES: readonly (readonly [RegExp, string])[] = [
  // Queries of addresses carry codes, signatures and what was searched for.
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s"'?]+)\?[^\s"']*/giu, '$1?[removed]'],
  [/(:\/\/)[^\s"'/@]+@/gu, '$1'],
  [/\bBearer\s+[\w.~+/=-]+/giu, 'Bearer [removed]'],
  [/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/gu, '[removed]'],
  [
    new RegExp(`(["']?(?:${NAMES})["']?\\s*[:=]\\s*)(?:"(?:[^"\\\\]|\\\\.)*"|'[^']*'|[^\\s,;}&]+)`, 'giu'),
    '$1"[removed]"',
  ],
  // Share links and the addresses of contents are keys by themselves.
  [/(\/(?:shared|storage)\/)[^\s"'/?]+/gu, '$1[removed]'],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu, '[email]'],
];

/** Text for a report, without what nobody else should read: secrets, mail addresses, and the name of the home folder. */
export function withoutSecrets(text: string, home: string): string {
  const clean = RULES.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text);
  // As it stands, and as JSON writes it.
  return [home, JSON.stringify(home).slice(1, -1)]
    .filter((each) => each.length > 1)
    .reduce((rest, each) => rest.replaceAll(each, '~'), clean);
}
