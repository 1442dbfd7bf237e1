/** Why a file's text is not at hand. The reason is shown to people; the code is for decisions and tests. */
export type SkipCode =
  | 'binary'
  | 'too-large'
  | 'password-protected'
  | 'damaged'
  | 'no-text'
  | 'limit-reached'
  | 'not-readable'
  | 'not-a-file'
  | 'vanished'
  | 'unsupported';

/** A part of a document with a place of its own: the whole of a plain file (`Content`), a `Page 3`, `Sheet Budget`, `Slide 2`. */
export interface TextSection {
  readonly label: string;
  /** NFC, lines end with `\n`. */
  readonly text: string;
  /** 1-based lines of the text that are headings; left out where there are none. */
  readonly headings?: readonly number[];
}

export interface ExtractLimits {
  /** Bytes of the file itself; a larger one is `too-large`. */
  readonly maxFileBytes: number;
  /** UTF-16 code units of text taken from a container format (PDF, Office, …); more is `limit-reached`. */
  readonly maxTextLength: number;
  /** Bytes that all parts read from an archive may unpack to, counted on what actually comes out. */
  readonly maxUnpackedBytes: number;
  readonly timeoutMs: number;
}

export const EXTRACT_LIMITS: ExtractLimits = {
  maxFileBytes: 128 * 1024 * 1024,
  maxTextLength: 64 * 1024 * 1024,
  maxUnpackedBytes: 200 * 1024 * 1024,
  timeoutMs: 30_000,
};

/** What extraction found: the text, or the reason why there is none. It never throws for what a file holds. */
export type Extraction =
  | {
      readonly ok: true;
      /** `plain`: the file itself is the text, so it can be read again from disk. `container`: it had to be taken out. */
      readonly form: 'plain' | 'container';
      /** Encoding of a plain file; `utf-8` for text that was taken out. */
      readonly encoding: string;
      readonly sections: readonly TextSection[];
    }
  | { readonly ok: false; readonly code: SkipCode; readonly reason: string };
