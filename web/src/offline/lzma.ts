// The LZMA decoder: literals and matches, after "LZMA specification" of the LZMA SDK. xz.ts reads the chunks around it.
import {RangeDecoder, unlearned} from './range.ts';

// Where the probabilities of each decision begin.
const MATCH = 0;
const REP = MATCH + 12 * 16;
const REP_0 = REP + 12;
const REP_1 = REP_0 + 12;
const REP_2 = REP_1 + 12;
const LONG = REP_2 + 12;
const SLOT = LONG + 12 * 16;
const MIDDLE = SLOT + 4 * 64;
const ALIGN = MIDDLE + 128;
const LENGTH = ALIGN + 16;
const REP_LENGTH = LENGTH + 514;
const LITERAL = REP_LENGTH + 514;

/** LZMA2 allows at most four bits of context for a literal. */
const ODDS = LITERAL + (0x300 << 4);

export class Lzma {
  readonly #window: Uint8Array<ArrayBuffer>;
  readonly #mask: number;
  readonly #bits = new RangeDecoder();
  #odds = unlearned(ODDS);
  /** How many bytes were decoded since the dictionary was reset. */
  #at = 0;
  #state = 0;
  #reps: readonly [number, number, number, number] = [0, 0, 0, 0];
  #lc = 0;
  #lp = 0;
  #pb = 0;

  /** size is that of the dictionary, a power of two. */
  constructor(size: number) {
    this.#window = new Uint8Array(size);
    this.#mask = size - 1;
  }

  /** Resets the dictionary. */
  empty(): void {
    this.#at = 0;
  }

  /** Resets the probabilities. */
  reset(): void {
    this.#odds = unlearned(ODDS);
    this.#state = 0;
    this.#reps = [0, 0, 0, 0];
  }

  /** The bits of context of literals, and of positions, in the byte that LZMA has for them. */
  set properties(byte: number) {
    this.#lc = byte % 9;
    this.#lp = Math.trunc(byte / 9) % 5;
    this.#pb = Math.trunc(byte / 45);
    if (this.#lc + this.#lp > 4 || this.#pb > 4) throw new Error(`xz: LZMA properties ${byte} are not of LZMA2`);
  }

  /** Bytes that are stored as they are. */
  stored(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    for (const byte of bytes) this.#put(byte);
    return bytes.slice();
  }

  /** Decodes the size bytes of a chunk. */
  decode(chunk: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
    const [start, end] = [this.#at, this.#at + size];
    if (chunk.length < 5) throw new Error(`xz: a chunk of ${chunk.length} bytes, and its code alone is 5`);
    this.#bits.begin(chunk);
    while (this.#at < end) this.#next(end);
    if (this.#bits.overran) throw new Error(`xz: a chunk of ${chunk.length} bytes ends too soon`);
    return this.#since(start);
  }

  #since(start: number): Uint8Array<ArrayBuffer> {
    const [from, to] = [start & this.#mask, this.#at & this.#mask];
    if (from < to) return this.#window.slice(from, to);
    const made = new Uint8Array(this.#at - start);
    made.set(this.#window.subarray(from));
    made.set(this.#window.subarray(0, to), this.#window.length - from);
    return made;
  }

  #put(byte: number): void {
    this.#window[this.#at++ & this.#mask] = byte;
  }

  #back(distance: number): number {
    return this.#window[(this.#at - distance - 1) & this.#mask] as number;
  }

  #next(end: number): void {
    const place = this.#at & ((1 << this.#pb) - 1);
    const within = (this.#state << 4) + place;
    if (this.#bit(MATCH + within) === 0) this.#literal();
    else this.#copy(this.#bit(REP + this.#state) === 0 ? this.#match(place) : this.#repeated(within, place), end);
  }

  #bit(index: number): number {
    return this.#bits.bit(this.#odds, index);
  }

  #literal(): void {
    const before = this.#at > 0 ? this.#back(0) : 0;
    const context = ((this.#at & ((1 << this.#lp) - 1)) << this.#lc) + (before >> (8 - this.#lc));
    const base = LITERAL + 0x300 * context;
    let symbol = this.#state >= 7 ? this.#unlike(base, this.#back(this.#reps[0])) : 1;
    while (symbol < 0x100) symbol = (symbol << 1) | this.#bit(base + symbol);
    this.#put(symbol & 0xff);
    this.#state = this.#state < 4 ? 0 : this.#state - (this.#state < 10 ? 3 : 6);
  }

  /** After a match, a literal differs from the byte that would have gone on: its bits up to the first different one. */
  #unlike(base: number, byte: number): number {
    let symbol = 1;
    for (let i = 7; i >= 0; i--) {
      const likely = (byte >> i) & 1;
      const bit = this.#bit(base + ((1 + likely) << 8) + symbol);
      symbol = (symbol << 1) | bit;
      if (bit !== likely) break;
    }
    return symbol;
  }

  /** A match at a new distance; its length. */
  #match(place: number): number {
    const length = this.#length(LENGTH, place);
    const [a, b, c] = this.#reps;
    this.#reps = [this.#distance(Math.min(length, 3)), a, b, c];
    this.#state = this.#state < 7 ? 7 : 10;
    return length + 2;
  }

  #length(base: number, place: number): number {
    if (this.#bit(base) === 0) return this.#bits.tree(this.#odds, base + 2 + (place << 3), 3);
    if (this.#bit(base + 1) === 0) return 8 + this.#bits.tree(this.#odds, base + 130 + (place << 3), 3);
    return 16 + this.#bits.tree(this.#odds, base + 258, 8);
  }

  #distance(length: number): number {
    const slot = this.#bits.tree(this.#odds, SLOT + (length << 6), 6);
    if (slot < 4) return slot;
    const count = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) * 2 ** count;
    if (slot < 14) return base + this.#bits.reversed(this.#odds, MIDDLE + base - slot, count);
    return base + this.#bits.direct(count - 4) * 16 + this.#bits.reversed(this.#odds, ALIGN, 4);
  }

  /** A match at one of the last four distances, which comes first then; its length. */
  #repeated(within: number, place: number): number {
    const [a, b, c, d] = this.#reps;
    if (this.#bit(REP_0 + this.#state) === 0) {
      if (this.#bit(LONG + within) === 0) return this.#single();
    } else if (this.#bit(REP_1 + this.#state) === 0) this.#reps = [b, a, c, d];
    else this.#reps = this.#bit(REP_2 + this.#state) === 0 ? [c, a, b, d] : [d, a, b, c];
    this.#state = this.#state < 7 ? 8 : 11;
    return this.#length(REP_LENGTH, place) + 2;
  }

  #single(): number {
    this.#state = this.#state < 7 ? 9 : 11;
    return 1;
  }

  #copy(length: number, end: number): void {
    const [distance] = this.#reps;
    if (distance >= this.#at || distance > this.#mask)
      throw new Error(`xz: a match ${distance + 1} bytes back at ${this.#at}`);
    // LZMA2 cuts no match at the end of a chunk: xz-embedded's lzma2_lzma refuses one, too.
    if (length > end - this.#at)
      throw new Error(`xz: a match of ${length} bytes where ${end - this.#at} are left of the chunk`);
    for (let left = length; left > 0; left--) this.#put(this.#back(distance));
  }
}
