// A file as bytes, for workers that cannot read files. It has the parts of Blob that this engine
// uses.

export class InMemory extends Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    super();
    this.#bytes = bytes;
  }

  override get size(): number {
    return this.#bytes.length;
  }

  override slice(start = 0, end = this.size): InMemory {
    return new InMemory(this.#bytes.subarray(start, end));
  }

  /** Returns a copy, synchronously. */
  copy(): ArrayBuffer {
    return this.#bytes.slice().buffer;
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return this.copy();
  }
}
