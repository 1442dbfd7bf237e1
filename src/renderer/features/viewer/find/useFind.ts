import { useEffect, useMemo, useRef, useState } from 'react';
import type { LoadText, ViewerPlace } from '../../../api/viewer.ts';
import { useTextLayer } from '../textLayer.ts';
import type { Findable, FindEngine, TextSection } from '../view.ts';
import { createLayerEngine } from './engine.ts';
import { createFindSession, FIND, type FindSession, type FindState } from './findSession.ts';

/** The finding in the document that is in sight. */
export interface Find {
  /** Null until its text is there. */
  readonly session: FindSession | null;
  /** What stands in the field. */
  readonly text: string;
  readonly type: (text: string) => void;
  readonly isLoading: boolean;
  /** Why nothing can be found: the text could not be had, or there is none. */
  readonly problem: 'unreachable' | 'no-text' | null;
  readonly retry: () => void;
}

const NO_SECTIONS: readonly TextSection[] = [];

/** The engine for sections, as long as they are searched. */
function useLayerEngine(sections: readonly TextSection[] | null): FindEngine | null {
  const [engine, setEngine] = useState<FindEngine | null>(null);
  useEffect(() => {
    if (sections === null) return;
    const made = createLayerEngine(sections);
    setEngine(made);
    return () => {
      setEngine(null);
      made.close();
    };
  }, [sections]);
  return engine;
}

export interface UseFindOptions {
  readonly contentKey: string;
  readonly loadText: LoadText;
  readonly findable: Findable | null;
  readonly place: ViewerPlace;
  readonly isOpen: boolean;
}

/** Finds in a document by the one engine: over what its view gives, or over its text layer, which is loaded when it is needed. */
export function useFind({ contentKey, loadText, findable, place, isOpen }: UseFindOptions): Find {
  const { find, section, line } = place;
  const own = findable?.engine ?? null;
  const isByLayer = findable !== null && own === null && findable.sections === null;
  const layer = useTextLayer(contentKey, loadText, isOpen && isByLayer);
  const sections = findable?.sections ?? (isByLayer ? (layer.data?.sections ?? null) : null);
  const layerEngine = useLayerEngine(isOpen && own === null ? sections : null);
  const engine = own ?? layerEngine;
  const debounceMs = findable?.debounceMs ?? FIND.debounceMs;
  const session = useMemo(
    () =>
      engine === null
        ? null
        : createFindSession({ engine, limit: find === '' ? FIND.limit : FIND.limitFromSearch, debounceMs }),
    [engine, debounceMs, find],
  );

  const [text, setText] = useState(find);
  // Sought as soon as there is something to seek in, and again where that is replaced.
  const wanted = useRef<{ text: string; section: string | null; line: number | null }>({ text: '', section, line });
  useEffect(() => {
    wanted.current = { text: find, section, line };
    setText(find);
  }, [find, section, line]);
  useEffect(() => {
    if (session === null || findable === null) return;
    const searched = sections ?? NO_SECTIONS;
    let shown: FindState | null = null;
    const unsubscribe = session.store.subscribe((state) => {
      const { matches, active, phase } = state;
      if (matches.length === 0) {
        if (shown !== null) findable.show(null, searched);
        shown = null;
        return;
      }
      const isAllThere = phase === 'done' && matches !== shown?.matches;
      // While more is found, what is in sight stays as it is.
      if (shown !== null && active === shown.active && !isAllThere) return;
      shown = state;
      findable.show({ matches, active }, searched);
    });
    return () => {
      unsubscribe();
      findable.show(null, searched);
    };
  }, [session, findable, sections]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place of the address is sought like another session
  useEffect(() => {
    if (session === null) return;
    if (isOpen) session.begin(wanted.current.text, wanted.current.section, wanted.current.line);
    else session.stop();
    return session.stop;
  }, [session, isOpen, find, section, line]);

  const problem = layer.isError ? 'unreachable' : isByLayer && layer.data?.problem != null ? 'no-text' : null;
  return {
    session,
    text,
    type(typed) {
      wanted.current = { text: typed, section: null, line: null };
      setText(typed);
      session?.type(typed);
    },
    isLoading: isOpen && session === null && problem === null,
    problem,
    retry: () => void layer.refetch(),
  };
}
