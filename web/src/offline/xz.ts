// The first block of an .xz file as a stream, after "The .xz File Format" 1.2 and the chunks of LZMA2 as xz-embedded's xz_dec_lzma2.c has them. No browser
// decompresses xz. The data after the block, such as checksums, is not read: the service worker knows the digest of each file.
import {Lzma} from './lzma.ts';

export type Unpacked = ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;

type Bytes = Uint8Array<ArrayBuffer>;

const HEADER = 12;
const LZMA2 = 0x21;

/** pack/ makes dictionaries of 16 MB. */
const LARGEST = 64 << 20;

/** A chunk has at most 2 MB, and is in the window completely. */
const SMALLEST = 4 << 20;

/** A stream that decompresses. */
export function unxz(): Unpacked {
  const file = new XzBlock();
  return new TransformStream<Bytes, Bytes>({
    transform(packed, to) {
      file.add(packed);
      for (let made = file.next(); made !== null; made = file.next()) to.enqueue(made);
    },
    flush() {
      if (!file.ended) throw new Error('xz: a compressed file of the page is truncated');
    },
  });
}

class XzBlock {
  ended = false;
  #lzma: Lzma | null = null;
  #waiting: Bytes = new Uint8Array();

  add(bytes: Bytes): void {
    if (this.ended) return; // the data after the block
    const both = new Uint8Array(this.#waiting.length + bytes.length);
    both.set(this.#waiting);
    both.set(bytes, this.#waiting.length);
    this.#waiting = both;
  }

  /** The content of the next chunk; null if it has not arrived, or if there is none. */
  next(): Bytes | null {
    this.#lzma ??= this.#begin();
    const [control] = this.#waiting;
    if (control === 0) this.ended = true;
    if (this.#lzma === null || control === undefined || this.ended) return null;
    return control < 0x80 ? this.#stored(this.#lzma, control) : this.#packed(this.#lzma, control);
  }

  #begin(): Lzma | null {
    const size = ((this.#waiting[HEADER] ?? 255) + 1) * 4;
    const header = this.#read(HEADER, size);
    if (header === null) return null;
    // One filter, LZMA2, and no sizes before it: what stands at 2 is its id, its size, and its dictionary.
    const [flags, id, dictionary] = [header[1], header[2], header[4] ?? 0];
    if (flags !== 0 || id !== LZMA2) throw new Error(`xz: filters ${flags} and ${id}, not LZMA2 alone`);
    const bytes = (2 | (dictionary & 1)) * 2 ** ((dictionary >> 1) + 11); // no shift: it may be 4 GB
    if (dictionary > 40 || bytes > LARGEST) throw new Error(`xz: a dictionary of ${bytes} bytes`);
    return new Lzma(Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(bytes))));
  }

  #stored(lzma: Lzma, control: number): Bytes | null {
    if (control > 2) throw new Error(`xz: a chunk of kind ${control}`);
    const bytes = this.#read(3, this.#two(1) + 1);
    if (bytes === null) return null;
    if (control === 1) lzma.empty();
    return lzma.stored(bytes);
  }

  // The kind of a compressed chunk says what is reset: nothing, the state, also the properties, also the dictionary.
  #packed(lzma: Lzma, control: number): Bytes | null {
    const kind = (control >> 5) & 3;
    const [size, length, properties] = [((control & 31) << 16) + this.#two(1) + 1, this.#two(3) + 1, this.#waiting[5]];
    const chunk = this.#read(kind > 1 ? 6 : 5, length);
    if (chunk === null) return null;
    if (kind === 3) lzma.empty();
    if (kind > 1 && properties !== undefined) lzma.properties = properties;
    if (kind > 0) lzma.reset();
    return lzma.decode(chunk, size);
  }

  #two(at: number): number {
    return ((this.#waiting[at] ?? 0) << 8) | (this.#waiting[at + 1] ?? 0);
  }

  /** Takes length bytes after the peeked ones; null if they have not arrived. */
  #read(before: number, length: number): Bytes | null {
    const end = before + length;
    if (this.#waiting.length < end) return null;
    const bytes = this.#waiting.subarray(before, end);
    this.#waiting = this.#waiting.subarray(end);
    return bytes;
  }
}
