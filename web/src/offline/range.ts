// The range decoder of LZMA: it decodes bits from bytes, each by an adaptive probability. After "LZMA specification" of the LZMA SDK (lzma-specification.7z).

/** Probabilities have 11 bits and move by a 32nd of their error. */
const EVEN = 1024;

/** Initial probabilities. */
export const unlearned = (count: number): Uint16Array => new Uint16Array(count).fill(EVEN);

export class RangeDecoder {
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
  #range = 0;
  #code = 0;

  /** Begins with other bytes; the first is always 0, the next four are the code. */
  begin(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#at = 5;
    this.#range = 0xffffffff;
    this.#code = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  }

  /** Whether the decoder read beyond the end of the bytes. */
  get overran(): boolean {
    return this.#at > this.#bytes.length;
  }

  bit(odds: Uint16Array, index: number): number {
    const zero = odds[index] as number;
    const bound = (this.#range >>> 11) * zero;
    const bit = this.#code < bound ? 0 : 1;
    if (bit === 0) this.#range = bound;
    else {
      this.#range -= bound;
      this.#code -= bound;
    }
    odds[index] = bit === 0 ? zero + ((2048 - zero) >> 5) : zero - (zero >> 5);
    if (this.#range < 0x1000000) this.#more();
    return bit;
  }

  #more(): void {
    this.#range = (this.#range << 8) >>> 0;
    this.#code = ((this.#code << 8) | (this.#bytes[this.#at++] ?? 0)) >>> 0;
  }

  /** So many bits, the highest first, each with a probability that depends on those before it. */
  tree(odds: Uint16Array, base: number, count: number): number {
    let found = 1;
    for (let i = 0; i < count; i++) found = (found << 1) | this.bit(odds, base + found);
    return found - (1 << count);
  }

  /** The same, the lowest bit first. */
  reversed(odds: Uint16Array, base: number, count: number): number {
    let found = 0;
    for (let i = 0, node = 1; i < count; i++) {
      const bit = this.bit(odds, base + node);
      node = (node << 1) | bit;
      found |= bit << i;
    }
    return found;
  }

  /** So many bits with equal probability. */
  direct(count: number): number {
    let found = 0;
    for (let i = 0; i < count; i++) {
      this.#range >>>= 1;
      const bit = this.#code < this.#range ? 0 : 1;
      if (bit === 1) this.#code -= this.#range;
      found = (found << 1) | bit;
      if (this.#range < 0x1000000) this.#more();
    }
    return found;
  }
}
