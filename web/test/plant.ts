// Dumps with something in them that is not theirs: streams and strings replaced by others, which stand at the file's end.

/** The stream types that are planted. */
export const streamType = {modules: 4, threadNames: 24, commandLine: 0x47670006, environment: 0x47670007} as const;

const moduleSize = 108;
const moduleNameAt = 20;
const threadNameSize = 12;

export class Planter {
  #data: Buffer;

  constructor(dump: Buffer) {
    this.#data = Buffer.from(dump);
  }

  get dump(): Buffer {
    return this.#data;
  }

  /** Replaces the bytes of a stream. */
  stream(type: number, text: string): this {
    const entry = this.#entry(type);
    const bytes = Buffer.from(text, 'utf8');
    const at = this.#append(bytes);
    this.#data.writeUInt32LE(bytes.length, entry + 4);
    this.#data.writeUInt32LE(at, entry + 8);
    return this;
  }

  /** Replaces the name of a module. */
  module(index: number, name: string): this {
    const at = this.#offset(streamType.modules) + 4 + moduleSize * index + moduleNameAt;
    const text = this.#string(name);
    this.#data.writeUInt32LE(text, at);
    return this;
  }

  /** Replaces a thread's name, by its place in the list of names. */
  threadName(index: number, name: string): this {
    const at = this.#offset(streamType.threadNames) + 4 + threadNameSize * index + 4;
    const text = this.#string(name);
    this.#data.writeBigUInt64LE(BigInt(text), at);
    return this;
  }

  #entry(type: number): number {
    const count = this.#data.readUInt32LE(8);
    const directory = this.#data.readUInt32LE(12);
    for (let i = 0; i < count; i++) {
      if (this.#data.readUInt32LE(directory + 12 * i) === type) return directory + 12 * i;
    }
    throw new Error(`the dump has no stream ${type.toString(16)}`);
  }

  #offset(type: number): number {
    return this.#data.readUInt32LE(this.#entry(type) + 8);
  }

  // A MINIDUMP_STRING.
  #string(text: string): number {
    const units = Buffer.from(text, 'utf16le');
    const head = Buffer.alloc(4);
    head.writeUInt32LE(units.length);
    return this.#append(Buffer.concat([head, units, Buffer.alloc(2)]));
  }

  #append(bytes: Buffer): number {
    const at = this.#data.length;
    this.#data = Buffer.concat([this.#data, bytes]);
    return at;
  }
}
