import { fold } from '../../shared/rules/fold.ts';

/** What every database brings into this case alike. A `ſ` folds to s, a Kelvin sign to k, and a Turkish I has no dot. */
const SURE = /[a-hjl-rt-z0-9 ]/u;

/** A pattern that everything with the text fits. What databases fold in other ways than we do stands for any character. */
export function likePattern(text: string): string {
  const sure = [...fold(text.normalize('NFC'))].map((character) => (SURE.test(character) ? character : '_'));
  return `%${sure.join('')}%`;
}
