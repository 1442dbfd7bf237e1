/**
 * Looks through bytes sixteen at a time (AssemblyScript; scripts/wasm.mjs makes src/core/search/byteScanCode.ts of it). What is
 * looked through may have anything behind its end for 16 bytes, which are overwritten.
 */

/** Where `bytes` are `value`. */
function isByte(bytes: v128, value: i32): v128 {
  return i8x16.eq(bytes, i8x16.splat(<i8>value));
}

/**
 * The length in UTF-16 code units of UTF-8. -1 when some character of it might, by NFC or by folding its case, become or take
 * part in an ASCII one, so that ASCII bytes do not tell what ASCII characters its text has: U+017F and U+212A (ſ and the
 * Kelvin sign), U+1FEF, and U+0300 to U+037F, which begin with 0xCC or 0xCD.
 */
export function measure(at: usize, length: usize): i32 {
  const end = at + length;
  v128.store(end, i8x16.splat(0));
  let units = <i32>length;
  for (let p = at; p < end; p += 16) {
    const bytes = v128.load(p);
    if (!i8x16.bitmask(bytes)) continue;
    const second = v128.load(p + 1);
    const third = v128.load(p + 2);
    const joins = v128.or(isByte(bytes, 0xcc), isByte(bytes, 0xcd));
    const longS = v128.and(isByte(bytes, 0xc5), isByte(second, 0xbf));
    const kelvin = v128.and(v128.and(isByte(bytes, 0xe2), isByte(second, 0x84)), isByte(third, 0xaa));
    const varia = v128.and(v128.and(isByte(bytes, 0xe1), isByte(second, 0xbf)), isByte(third, 0xaf));
    if (v128.any_true(v128.or(v128.or(joins, longS), v128.or(kelvin, varia)))) return -1;
    const continuations = i8x16.lt_s(bytes, i8x16.splat(-64));
    const fourByteStarts = i8x16.ge_u(bytes, i8x16.splat(<i8>0xf0));
    units += popcnt(i8x16.bitmask(fourByteStarts)) - popcnt(i8x16.bitmask(continuations));
  }
  return units;
}

/** Whether all but the first and the last byte of the needle stand here. */
function isMatch(at: usize, lower: usize, upper: usize, size: usize): bool {
  for (let i: usize = 1; i < size - 1; i += 1) {
    const byte = load<u8>(at + i);
    if (byte !== load<u8>(lower + i) && byte !== load<u8>(upper + i)) return false;
  }
  return true;
}

/** Bit by bit, which of the sixteen places from `p` on have the first and the last byte of a needle. */
function candidatesAt(p: usize, lower: usize, upper: usize, toEnd: usize): u32 {
  const firsts = v128.load(p);
  const ends = v128.load(p + toEnd);
  const isFirst = v128.or(
    i8x16.eq(firsts, i8x16.splat(load<i8>(lower))),
    i8x16.eq(firsts, i8x16.splat(load<i8>(upper))),
  );
  const isEnd = v128.or(
    i8x16.eq(ends, i8x16.splat(load<i8>(lower + toEnd))),
    i8x16.eq(ends, i8x16.splat(load<i8>(upper + toEnd))),
  );
  return <u32>i8x16.bitmask(v128.and(isFirst, isEnd));
}

/** How often a needle of `size` bytes, given in both cases, is in the bytes, not overlapping, from the left. */
export function count(at: usize, length: usize, lower: usize, upper: usize, size: usize): u32 {
  if (length < size) return 0;
  const last = at + length - size;
  let found: u32 = 0;
  let next = at;
  for (let p = at; p <= last; p += 16) {
    for (let candidates = candidatesAt(p, lower, upper, size - 1); candidates !== 0; candidates &= candidates - 1) {
      const start = p + <usize>ctz(candidates);
      if (start > last) return found;
      if (start < next || !isMatch(start, lower, upper, size)) continue;
      found += 1;
      next = start + size;
    }
  }
  return found;
}

/** Where such a needle stands first, from `at`; -1 when it does not. */
export function find(at: usize, length: usize, lower: usize, upper: usize, size: usize): i32 {
  if (length < size) return -1;
  const last = at + length - size;
  for (let p = at; p <= last; p += 16) {
    for (let candidates = candidatesAt(p, lower, upper, size - 1); candidates !== 0; candidates &= candidates - 1) {
      const start = p + <usize>ctz(candidates);
      if (start > last) return -1;
      if (isMatch(start, lower, upper, size)) return <i32>(start - at);
    }
  }
  return -1;
}

/** How many lines end in the bytes. */
export function lines(at: usize, length: usize): u32 {
  const end = at + length;
  let found: u32 = 0;
  let p = at;
  for (; p + 16 <= end; p += 16) found += <u32>popcnt(i8x16.bitmask(isByte(v128.load(p), 0x0a)));
  for (; p < end; p += 1) found += <u32>(load<u8>(p) === 0x0a);
  return found;
}
