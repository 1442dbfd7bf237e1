const PDF_WORKER = /(?:^|[\\/])pdfjs-[\d.]+[\\/]worker\.js(?:\.\w+)?$/u;

/** Whether a file of the built page is the worker that reads PDFs. */
export const isPdfWorker = (path: string): boolean => PDF_WORKER.test(path);

/**
 * The content policy of that worker. It reads hostile files, so it gets its own: it reaches nothing but us. It may compile
 * WebAssembly, which the page itself may not, because the decoders of JPEG 2000 and JBIG2 images are that.
 */
export const PDF_WORKER_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; form-action 'none'";
