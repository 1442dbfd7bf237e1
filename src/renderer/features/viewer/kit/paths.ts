/** The part that an address in another part names, without its place within; null for what is outside of the document. */
export function resolvePart(from: string, target: string): string | null {
  const path = target.split(/[?#]/u)[0] ?? '';
  if (/^[a-z][a-z0-9+.-]*:/iu.test(path) || path.startsWith('//')) return null;
  const segments = path.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const segment of decoded(path).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return segments.join('/');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A percent sign that is only that.
    return path;
  }
}
