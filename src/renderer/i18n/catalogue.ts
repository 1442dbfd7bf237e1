import type { en } from './en.ts';

type Translated<T> = { readonly [K in keyof T]: T[K] extends string ? string : Translated<T[K]> };

/** The shape of every catalogue: exactly the keys of the English one. */
export type Catalogue = Translated<typeof en>;
