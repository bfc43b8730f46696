// A file as bytes, for workers that cannot read files: a Blob as far as this engine reads Blobs.

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

  /** At once, and not shared with anything. */
  copy(): ArrayBuffer {
    return this.#bytes.slice().buffer;
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return this.copy();
  }
}
