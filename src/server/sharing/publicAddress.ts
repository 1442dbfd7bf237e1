import { isIPv4, isIPv6 } from 'node:net';
import { ipv6Groups } from './visitor.ts';

/** Networks that are not the public internet (IANA special-purpose registry, IPv4): first address and length of prefix. */
const RESERVED: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

function isPublicIpv4(address: string): boolean {
  const value = numberOf(address);
  return !RESERVED.some(([first, length]) => {
    const size = 2 ** (32 - length);
    return Math.floor(value / size) === Math.floor(numberOf(first) / size);
  });
}

/**
 * Whether an address is one of the public internet. Of IPv6 only global unicast is (2000::/3), without the parts of it that
 * lead elsewhere: protocol assignments with Teredo (2001::/23), documentation (2001:db8::/32, 3fff::/20), 6to4 (2002::/16) and
 * direct delegation (2620:4f:8000::/48). Addresses that stand for IPv4 ones are in none of it.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return isPublicIpv4(address);
  if (!isIPv6(address)) return false;
  const [first = 0, second = 0, third = 0] = ipv6Groups(address);
  if (first < 0x2000 || first > 0x3fff) return false;
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false;
  if (first === 0x2620 && second === 0x4f && third === 0x8000) return false;
  return first !== 0x2002 && !(first === 0x3fff && second < 0x1000);
}
