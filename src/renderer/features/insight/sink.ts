/** A service of others that is told what happens here, for as long as that is allowed. */
export interface Sink {
  /** A screen was opened, of which it hears the kind alone. */
  readonly view: (screen: string) => void;
  readonly leave: (screen: string) => void;
  /** Ends it within the page. */
  readonly stop: () => void;
}
