import { isIPv4, isIPv6 } from 'node:net';

/** ::1, and 127.0.0.0/8 as IPv6 sockets have it. */
const loopback = /^\[(?:::1|::ffff:7f[\da-f]{2}:[\da-f]+)\]$/;

/** Whether only this machine has an address: 127.0.0.0/8 or ::1. */
export function isLoopbackAddress(address: string): boolean {
  if (isIPv4(address)) return address.startsWith('127.');
  return isIPv6(address) && loopback.test(toUrlHost(address));
}

/** What one client has: an IPv4 address, or 64 bits of an IPv6 one, since networks hand out no less (RFC 6177). */
export function toClientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const gap = address.indexOf('::');
  if (gap === -1) return address.split(':').slice(0, 4).join(':');
  const before = address
    .slice(0, gap)
    .split(':')
    .filter((group) => group !== '');
  const after = address.slice(gap + 2).split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

/** An IPv6 address as a URL has it, which has only one spelling. */
function toUrlHost(address: string): string {
  return new URL(`http://[${address.split('%', 1)[0]}]`).hostname;
}
