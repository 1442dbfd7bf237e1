/**
 * What structured cloning carries and JSON does not, in JSON: both the page's isolated world and the main process run this
 * very function, so it must not refer to anything outside itself.
 */
export function makeCodec(): { encode(value: unknown): string; decode(text: string): unknown } {
  function toBase64(bytes: Uint8Array): string {
    let binary = '';
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return btoa(binary);
  }
  function fromBase64(text: string): Uint8Array {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  }
  function pack(value: unknown): unknown {
    if (value === undefined) return { $: 'undefined' };
    if (typeof value === 'function' || typeof value === 'symbol') throw new Error('An object could not be cloned.');
    if (typeof value === 'bigint') return { $: 'bigint', v: String(value) };
    if (typeof value === 'number' && !Number.isFinite(value)) return { $: 'number', v: String(value) };
    if (value === null || typeof value !== 'object') return value;
    if (value instanceof Date) return { $: 'date', v: value.getTime() };
    if (value instanceof Uint8Array) return { $: 'bytes', v: toBase64(value) };
    if (value instanceof Map) return { $: 'map', v: [...value].map(([key, each]) => [pack(key), pack(each)]) };
    if (value instanceof Set) return { $: 'set', v: [...value].map(pack) };
    if (value instanceof Error) return { $: 'error', v: value.message, n: value.name };
    if (Array.isArray(value)) return value.map(pack);
    return { $: 'object', v: Object.entries(value).map(([key, each]) => [key, pack(each)]) };
  }
  function unpack(packed: unknown): unknown {
    if (packed === null || typeof packed !== 'object') return packed;
    if (Array.isArray(packed)) return packed.map(unpack);
    const { $, v, n } = packed as { $: string; v: never; n?: string };
    switch ($) {
      case 'bigint':
        return BigInt(v);
      case 'number':
        return Number(v);
      case 'date':
        return new Date(v);
      case 'bytes':
        return fromBase64(v);
      case 'map':
        return new Map((v as [unknown, unknown][]).map(([key, each]) => [unpack(key), unpack(each)]));
      case 'set':
        return new Set((v as unknown[]).map(unpack));
      case 'error':
        return Object.assign(new Error(v), { name: n });
      case 'object':
        return Object.fromEntries((v as [string, unknown][]).map(([key, each]) => [key, unpack(each)]));
      default:
        return undefined;
    }
  }
  return { encode: (value) => JSON.stringify(pack(value)), decode: (text) => unpack(JSON.parse(text)) };
}
