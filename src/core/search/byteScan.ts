import { BYTE_SCAN_CODE } from './byteScanCode.ts';

/** A literal of ASCII characters, in both cases; the same twice when case matters. */
export interface AsciiLiteral {
  readonly lower: string;
  readonly upper: string;
}

/** Counts ASCII literals in UTF-8 without making strings of it: what is not shown costs a fraction so. */
export interface ByteScan {
  /** Where the bytes are put that are looked through, from its beginning. */
  readonly buffer: Buffer;
  /**
   * The length of the first `size` bytes in UTF-16 code units. Null when their ASCII characters are not those of the text in
   * NFC, without regard to case: such a text has to be decoded.
   */
  readonly measure: (size: number) => number | null;
  /** Puts bytes into the buffer. @returns what `measure` says of them; null, too, when there is no room for them */
  readonly take: (bytes: Buffer) => number | null;
  /** How often a literal is in the first `size` bytes, not overlapping. Of what `measure` tells the length of. */
  readonly count: (literal: AsciiLiteral, size: number) => number;
  /** Where a literal stands first between two places; -1 when it does not. Of what `measure` tells the length of. */
  readonly find: (literal: AsciiLiteral, from: number, to: number) => number;
  /** How many lines end between two places. */
  readonly lines: (from: number, to: number) => number;
}

const PAGE_BYTES = 64 * 1024;
/** Room for each case of a literal; the bytes stand behind both. */
const LITERAL_BYTES = 1024;
const BYTES_AT = 2 * LITERAL_BYTES;
/** The code reads and writes this far behind the bytes, and further by the length of the literal. */
const SLACK_BYTES = 64 + LITERAL_BYTES;

interface Code {
  readonly measure: (at: number, size: number) => number;
  readonly count: (at: number, size: number, lower: number, upper: number, length: number) => number;
  readonly find: (at: number, size: number, lower: number, upper: number, length: number) => number;
  readonly lines: (at: number, size: number) => number;
}

/** As far as it is used; the types of Node do not have it, those of browsers would bring all of a page. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** Makes a scan of up to `bytes` at once. */
export function createByteScan(bytes: number): ByteScan {
  const memory = new WebAssembly.Memory({ initial: Math.ceil((BYTES_AT + bytes + SLACK_BYTES) / PAGE_BYTES) });
  const module = new WebAssembly.Module(Buffer.from(BYTE_SCAN_CODE, 'base64'));
  const code = new WebAssembly.Instance(module, { env: { memory } }).exports as Code;
  const whole = Buffer.from(memory.buffer);
  let known: AsciiLiteral | null = null;
  function know(literal: AsciiLiteral): number {
    if (known !== literal) {
      whole.write(literal.lower, 0, LITERAL_BYTES, 'latin1');
      whole.write(literal.upper, LITERAL_BYTES, LITERAL_BYTES, 'latin1');
      known = literal;
    }
    return literal.lower.length;
  }

  const buffer = whole.subarray(BYTES_AT, BYTES_AT + bytes);
  function measure(size: number): number | null {
    const length = code.measure(BYTES_AT, size);
    return length < 0 ? null : length;
  }

  return {
    buffer,
    measure,
    take(given) {
      if (given.length > bytes) return null;
      buffer.set(given);
      return measure(given.length);
    },
    count: (literal, size) => {
      const length = know(literal);
      return code.count(BYTES_AT, size, 0, LITERAL_BYTES, length);
    },
    find: (literal, from, to) => {
      const length = know(literal);
      const at = code.find(BYTES_AT + from, to - from, 0, LITERAL_BYTES, length);
      return at === -1 ? -1 : from + at;
    },
    lines: (from, to) => code.lines(BYTES_AT + from, to - from),
  };
}
