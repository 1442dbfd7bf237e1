import { useCallback, useEffect, useRef, useState } from 'react';
import { type CallOutput, fillPath } from '../../../shared/api/call.ts';
import { STREAM_ROUTES } from '../../../shared/api/documents.ts';
import { api } from '../../../shared/api/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import type { TextPart } from '../../../shared/model/documentText.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { fetchBlob } from '../../api/fetchContent.ts';
import type { ExportPdf, LoadText } from '../../api/viewer.ts';
import { useServices, useSession } from '../../app/services.ts';
import type { KeptContent } from '../../platform/types.ts';

/** Whoever only leafs past a document has not opened it. */
const OPENED_AFTER_MS = 2000;

/** A copy on this device, by addresses that are good while it is shown. */
interface OwnCopy {
  readonly url: string;
  readonly pagesUrl: string | null;
  readonly text: readonly TextPart[];
}

/**
 * Where a version is shown from. `looking`: it is not known yet whether there is a copy; `nowhere`: there is none, and the server
 * does not answer.
 */
export type Source =
  | { readonly from: 'looking' | 'server' | 'nowhere' }
  | { readonly from: 'device'; readonly copy: OwnCopy };

const LOOKING: Source = { from: 'looking' };
const SERVER: Source = { from: 'server' };

/** Decides once for each version: what somebody reads does not change its place when the network comes or goes. */
export function useSource(versionId: string): readonly [Source, lookAgain: () => void] {
  const { platform, session } = useServices();
  const { keptDocuments } = platform;
  const owner = useSession(({ user }) => user?.user_id);
  const isReachable = useSession(({ reachable }) => reachable);
  const [attempt, setAttempt] = useState(0);
  const [found, setFound] = useState<{ readonly of: string; readonly source: Source } | null>(null);
  const lookAgain = useCallback(() => setAttempt((count) => count + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt looks again
  useEffect(() => {
    if (keptDocuments === null || owner === undefined) return;
    const urls: string[] = [];
    let isGone = false;
    const addressOf = (blob: Blob) => {
      const url = URL.createObjectURL(blob);
      urls.push(url);
      return url;
    };
    const show = ({ content, text, pages }: KeptContent): Source => ({
      from: 'device',
      copy: { url: addressOf(content), pagesUrl: pages === null ? null : addressOf(pages), text },
    });
    const look = async () => {
      const kept = await (await keptDocuments()).find(owner, versionId);
      if (isGone) return;
      const isAway = !session.getState().reachable || !navigator.onLine;
      setFound({ of: versionId, source: kept !== null ? show(kept) : isAway ? { from: 'nowhere' } : SERVER });
    };
    look().catch((error: unknown) => {
      if (!isAppError(error)) throw error;
      // The code for it did not come: the server is asked, and its answer says what is wrong.
      if (!isGone) setFound({ of: versionId, source: SERVER });
    });
    return () => {
      isGone = true;
      for (const url of urls) URL.revokeObjectURL(url);
    };
  }, [keptDocuments, session, owner, versionId, attempt]);
  const isNowhere = found?.of === versionId && found.source.from === 'nowhere';
  useEffect(() => {
    if (!isNowhere) return;
    if (isReachable && navigator.onLine) lookAgain();
    addEventListener('online', lookAgain);
    return () => removeEventListener('online', lookAgain);
  }, [isNowhere, isReachable, lookAgain]);
  if (keptDocuments === null || owner === undefined) return [SERVER, lookAgain];
  return [found?.of === versionId ? found.source : LOOKING, lookAgain];
}

/** The part of a text that begins at a place: each part says where the next one begins. */
const partFrom = (text: readonly TextPart[], from: number) =>
  text.find((_part, index) => from === (index === 0 ? 0 : text[index - 1]?.next));

/** What the viewer asks for beside the content itself, of the copy where there is one; and what is opened is kept. */
export function useContentOf(
  versionId: string,
  version: CallOutput<typeof api.documents.version> | undefined,
  source: Source,
  isMember: boolean,
): { readonly loadText: LoadText; readonly exportPdf: ExportPdf } {
  const { client, platform, session } = useServices();
  const { keptDocuments } = platform;
  const owner = useSession(({ user }) => user?.user_id);
  const copy = source.from === 'device' ? source.copy : null;
  const isShown = source.from === 'device' || source.from === 'server';
  /** Where the pages are that somebody looks at. */
  const pages = useRef<{ readonly of: string; readonly url: Promise<string | null> } | null>(null);

  const loadText = useCallback<LoadText>(
    async (from, signal) =>
      partFrom(copy?.text ?? [], from) ??
      client.call(api.documents.text, { params: { id: versionId }, query: { from } }, { signal }),
    [client, versionId, copy],
  );

  const keep = useCallback(async () => {
    if (keptDocuments === null || owner === undefined || version === undefined || !isMember) return;
    // What is known of it may be what was seen last.
    if (!session.getState().reachable || !navigator.onLine) return;
    const signal = AbortSignal.timeout(LIMITS.transferTimeoutMs);
    const load = async () => {
      const url = fillPath(STREAM_ROUTES.versionContent, { id: versionId });
      const content = await fetchBlob(url, signal).catch(async (error: unknown) => {
        if (!isAppError(error, 'session-expired') || !(await client.resume())) throw error;
        return fetchBlob(url, signal);
      });
      const text: TextPart[] = [];
      for (let from: number | null = 0; from !== null; from = text.at(-1)?.next ?? null) {
        text.push(await loadText(from, signal));
      }
      return { content, text };
    };
    const documents = await keptDocuments();
    const { document_name: name, library, shelf_id: shelfId, size } = version;
    await documents.keep(owner, { versionId, name, library, shelfId, size }, load);
    const url = pages.current?.of === versionId ? await pages.current.url : null;
    if (url !== null) await documents.addPages(owner, versionId, () => fetchBlob(url, signal));
  }, [keptDocuments, owner, version, versionId, isMember, session, client, loadText]);
  const keepOpened = useCallback(() => {
    keep().catch((error: unknown) => {
      // The code for it did not come; the next time it is opened it is kept.
      if (!isAppError(error)) throw error;
    });
  }, [keep]);
  useEffect(() => {
    if (!isShown) return;
    const timer = setTimeout(keepOpened, OPENED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isShown, keepOpened]);

  const exportPdf = useCallback<ExportPdf>(
    async (signal) => {
      const pagesUrl = copy?.pagesUrl ?? null;
      if (pagesUrl !== null) return { status: 'ready', presignedUrl: pagesUrl, error: null };
      const params = { id: version?.document_id ?? '', x: versionId };
      const asked = client.call(api.pdfExport.version, { params }, { signal });
      const url = asked.then(
        ({ presignedUrl }) => presignedUrl,
        () => null,
      );
      pages.current = { of: versionId, url };
      void url.then(keepOpened);
      return asked;
    },
    [client, versionId, version, copy, keepOpened],
  );
  return { loadText, exportPdf };
}
