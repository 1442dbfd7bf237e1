import {
  GlobalWorkerOptions,
  getDocument,
  PasswordResponses,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  PDFWorker,
  VerbosityLevel,
  version,
} from 'pdfjs-dist';
import { AppError, isAppError } from '../../../shared/errors.ts';
import type { FetchRange } from './rangeFetch.ts';
import { createRangeTransport } from './rangeTransport.ts';

/** Where the build puts what pdf.js loads; see `vite.renderer.config.ts`. */
const FILES = `/assets/pdfjs-${version}/`;
/** Up to this a file comes in one answer; a larger one by the parts that are looked at. */
const WHOLE_FILE = 2 * 1024 * 1024;
const PART = 128 * 1024;
/** What an image of a page may take; a larger one is shrunk when it is decoded. */
const IMAGE_BYTES = 256 * 1024 * 1024;

/** How pdf.js says that a file is damaged or is none of its kind. */
const UNREADABLE: ReadonlySet<string> = new Set(['InvalidPDFException', 'UnknownErrorException']);

GlobalWorkerOptions.workerSrc = `${FILES}worker.js`;

export interface OpenPdfOptions {
  /** In bytes. */
  readonly size: number;
  readonly fetchRange: FetchRange;
  /** Asked for the password of a file that needs one; `wasWrong` when the one before did not open it. */
  readonly onPassword: (answer: (password: string) => void, wasWrong: boolean) => void;
  /** Told when the rest of an open file cannot be had any more. */
  readonly onFailed: (error: unknown) => void;
}

/** A file that is being opened, or is open. */
export interface OpenedPdf {
  /** @throws AppError `unsupported` for a file that is damaged or no PDF, and what `fetchRange` throws */
  readonly document: Promise<PDFDocumentProxy>;
  /** Gives back everything that it holds. */
  close(): void;
}

/** Opens a PDF. Nothing of it is ever run: scripts need a sandbox of pdf.js, which is neither set up nor shipped. */
export function openPdf({ size, fetchRange, onPassword, onFailed }: OpenPdfOptions): OpenedPdf {
  const closed = new AbortController();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const fail = (error: unknown) => {
    reject(error);
    onFailed(error);
  };

  async function source() {
    if (size <= WHOLE_FILE) return { data: await fetchRange(0, size, closed.signal) };
    const range = createRangeTransport({ size, fetchRange, onFailed: fail, signal: closed.signal });
    return { range, rangeChunkSize: PART, disableAutoFetch: true, disableStream: true };
  }

  async function load() {
    // It starts while the file is on its way.
    const worker = PDFWorker.create({ verbosity: VerbosityLevel.ERRORS });
    let task: PDFDocumentLoadingTask | null = null;
    // The document gives back its fonts with the worker's help, so the worker goes last.
    const end = () => worker.destroy();
    closed.signal.addEventListener('abort', () => void (task?.destroy() ?? Promise.resolve()).then(end, end));
    const file = await source();
    task = getDocument({
      ...file,
      worker,
      cMapUrl: `${FILES}cmaps/`,
      standardFontDataUrl: `${FILES}standard_fonts/`,
      wasmUrl: `${FILES}wasm/`,
      iccUrl: `${FILES}iccs/`,
      useWorkerFetch: true,
      enableXfa: false,
      canvasMaxAreaInBytes: IMAGE_BYTES,
      verbosity: VerbosityLevel.ERRORS,
    });
    task.onPassword = (answer: (password: string) => void, reason: number) =>
      onPassword(answer, reason === PasswordResponses.INCORRECT_PASSWORD);
    return Promise.race([task.promise, failed]);
  }

  const document = load().catch((error: unknown) => {
    if (isAppError(error)) throw error;
    const isUnreadable = error instanceof Error && UNREADABLE.has(error.name);
    throw new AppError(isUnreadable ? 'unsupported' : 'internal', 'the file cannot be opened', { cause: error });
  });
  return { document, close: () => closed.abort() };
}
