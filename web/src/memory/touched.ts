// The memory that a crash is about.
import type {Report} from '../report.ts';
import {parse} from '../text/hex.ts';

/** The addresses that the crash is about: the one that was accessed, and the one that the bad value was loaded from. */
export function touchedBy({crash_info: {accessed_address: accessed, origin}}: Report): readonly bigint[] {
  const loaded = origin?.find(({memory}) => memory)?.memory;
  return [accessed, loaded].flatMap(address => parse(address) ?? []);
}
