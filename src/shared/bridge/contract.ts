import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/** A call from the renderer to the main process. */
export interface Procedure<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly kind: 'procedure';
  readonly summary: string;
  readonly input: I;
  readonly output: O;
  /** Besides `bad-request` and `internal`, which any procedure may answer. */
  readonly errors: readonly ErrorCode[];
}

/** A message from the main process to the renderer. Past tense, by convention. */
export interface BridgeEvent<P extends z.ZodType = z.ZodType> {
  readonly kind: 'event';
  readonly summary: string;
  readonly payload: P;
}

/** Declares a procedure; input and output default to nothing. */
export function procedure<I extends z.ZodType = z.ZodVoid, O extends z.ZodType = z.ZodVoid>(definition: {
  readonly summary: string;
  readonly input?: I;
  readonly output?: O;
  readonly errors?: readonly ErrorCode[];
}): Procedure<I, O> {
  return {
    kind: 'procedure',
    summary: definition.summary,
    input: definition.input ?? (z.void() as unknown as I),
    output: definition.output ?? (z.void() as unknown as O),
    errors: definition.errors ?? [],
  };
}

/** Declares an event. */
export function event<P extends z.ZodType>(summary: string, payload: P): BridgeEvent<P> {
  return { kind: 'event', summary, payload };
}

export type BridgeContract = Readonly<Record<string, Readonly<Record<string, Procedure | BridgeEvent>>>>;

type Keys<N, Kind> = { [K in keyof N]: N[K] extends { readonly kind: Kind } ? K : never }[keyof N];

/** The map of handlers that the main process must supply: a missing one does not compile. `C` is what a caller is known by. */
export type BridgeHandlers<T extends BridgeContract, C> = {
  readonly [N in keyof T]: {
    readonly [K in Keys<T[N], 'procedure'>]: T[N][K] extends Procedure<infer I, infer O>
      ? (input: z.output<I>, caller: C) => Promise<z.input<O>> | z.input<O>
      : never;
  };
};

/** The functions and subscriptions that the renderer gets. Subscribing returns the function that ends it. */
export type BridgeClient<T extends BridgeContract> = {
  readonly [N in keyof T]: {
    readonly [K in Keys<T[N], 'procedure'>]: T[N][K] extends Procedure<infer I, infer O>
      ? (...input: z.input<I> extends void ? [] : [z.input<I>]) => Promise<z.output<O>>
      : never;
  } & {
    readonly [K in Keys<T[N], 'event'> as `on${Capitalize<string & K>}`]: T[N][K] extends BridgeEvent<infer P>
      ? (listener: (payload: z.output<P>) => void) => () => void
      : never;
  };
};

/** Sends an event, typed by the contract. */
export type BridgeEmit<T extends BridgeContract> = <N extends keyof T & string, K extends Keys<T[N], 'event'> & string>(
  namespace: N,
  name: K,
  payload: T[N][K] extends BridgeEvent<infer P> ? z.input<P> : never,
) => void;

/** The only shape that the preload exposes: calls by channel and subscriptions by channel, both on an allow-list. */
export interface BridgePort {
  /** Resolves to an `Outcome`; never rejects for an error that the main process answered. */
  invoke(channel: string, input: unknown): Promise<unknown>;
  on(channel: string, listener: (payload: unknown) => void): () => void;
}
