import { useQuery } from '@tanstack/react-query';
import type { TextPart } from '../../../shared/model/documentText.ts';
import type { LoadText } from '../../api/viewer.ts';
import type { TextSection } from './view.ts';

/** A document's text as the index has it, or why there is none. */
export interface TextLayer {
  readonly sections: readonly TextSection[];
  readonly problem: TextPart['problem'];
}

/** Joins the parts of a text; one that an answer cut goes on under the same label. */
export async function loadTextLayer(load: LoadText, signal: AbortSignal): Promise<TextLayer> {
  const sections: TextSection[] = [];
  let isCut = false;
  for (let from: number | null = 0; from !== null; ) {
    const part: TextPart = await load(from, signal);
    if (part.problem !== null) return { sections: [], problem: part.problem };
    for (const [index, section] of part.sections.entries()) {
      const last = sections.at(-1);
      if (isCut && index === 0 && last?.label === section.label) {
        sections[sections.length - 1] = { ...last, text: last.text + section.text };
      } else sections.push(section);
    }
    from = part.next;
    isCut = true;
  }
  return { sections, problem: null };
}

/** The text layer of a content, loaded once it is asked for. */
export function useTextLayer(key: string, load: LoadText, isEnabled: boolean) {
  return useQuery({
    queryKey: ['text-layer', key],
    queryFn: ({ signal }) => loadTextLayer(load, signal),
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}
