// Arithmetic on addresses. The only file that turns them into numbers, which are BigInts: doubles would round them.
import type {Address} from '../report.ts';

/** An address as a number; null when it is none. */
export function parse(address: string | null | undefined): bigint | null {
  return address && /^0x[0-9a-f]{1,32}$/i.test(address) ? BigInt(address) : null;
}

/** A number for prose and facts: 0x, lower case, no leading zeros. */
export const hex = (n: bigint | number): string => `0x${n.toString(16)}`;

/** An address in that form; any other text unchanged. */
export function brief(address: string): string {
  const n = parse(address);
  return n === null ? address : hex(n);
}

/** A place by what it lies in: "chromium + 0x9c5a510". */
export const plus = (name: string, offset: bigint | Address): string =>
  `${name} + ${typeof offset === 'bigint' ? hex(offset) : brief(offset)}`;

/** For columns: as many digits as the pointer has, no 0x. */
export function column(address: string): string {
  return parse(address) === null ? address : address.slice(2).toLowerCase();
}

/** For columns that need the low digits most: no leading zeros, no 0x. */
export function digits(address: string): string {
  return brief(address).replace(/^0x/, '');
}

/** An address as core/report writes it, for pointers of width bytes. */
export function format(n: bigint, width: number): Address {
  return `0x${n.toString(16).padStart(2 * width, '0')}`;
}

/** Whether n lies in size bytes from base. */
export function within(n: bigint, base: bigint, size: bigint): boolean {
  return n >= base && n - base < size;
}

/** Reads the pointers out of captured bytes; a rest that is shorter than one is left out. */
export function words(bytes: Uint8Array, width: number, bigEndian: boolean): bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out: bigint[] = [];
  for (let at = 0; at + width <= bytes.length; at += width) {
    out.push(width === 8 ? view.getBigUint64(at, !bigEndian) : BigInt(view.getUint32(at, !bigEndian)));
  }
  return out;
}
