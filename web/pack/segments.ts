// The data of a WebAssembly program in few segments. Go's linker leaves out each run of eight zeros, up to 100,000 times, so that
// the headers between the pieces take 5 % of the compressed program. Zeros cost nothing there, and pieces that keep their
// alignment compress better. Memory is zero before it is filled, so a program with the zeros does the same.

/** Two pieces with at most this many zeros between them become one. */
const gap = 64;

/** The number of WebAssembly's section for data, and that of an active segment of memory 0. */
const dataSection = 11;
const active = 0;

/** Instructions of the constant expression that says where a segment begins. */
const i32Const = 0x41;
const end = 0x0b;

/** Bytes with their address in memory. */
interface Segment {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** The program with its data in few segments; all other sections stay as they are. */
export function joined(program: Uint8Array): Uint8Array {
  const parts = [program.subarray(0, 8)];
  const from = new Reader(program, 8);
  while (from.left > 0) {
    const start = from.at;
    const kind = from.byte();
    const content = from.bytes(from.unsigned());
    parts.push(kind === dataSection ? dataOf(join(segments(content))) : program.subarray(start, from.at));
  }
  return Buffer.concat(parts);
}

function segments(content: Uint8Array): Segment[] {
  const from = new Reader(content, 0);
  return Array.from({length: from.unsigned()}, () => {
    const kind = from.byte();
    if (kind !== active || from.byte() !== i32Const)
      throw new Error(`wasm: data segment of kind ${kind}, not ${active} with a constant address`);
    const at = from.signed();
    if (from.byte() !== end) throw new Error('wasm: the address of a data segment is computed');
    return {at, bytes: from.bytes(from.unsigned())};
  });
}

/** The segments in the order of their addresses, with those that are near joined. */
function join(all: readonly Segment[]): Segment[] {
  const runs: Segment[][] = [];
  let behind = Number.NEGATIVE_INFINITY;
  for (const segment of [...all].sort((a, b) => a.at - b.at)) {
    if (segment.at < behind) throw new Error(`wasm: data segments overlap at ${segment.at}`);
    if (segment.at - behind <= gap) runs.at(-1)?.push(segment);
    else runs.push([segment]);
    behind = segment.at + segment.bytes.length;
  }
  return runs.map(filled);
}

function filled(run: readonly Segment[]): Segment {
  const at = run[0]?.at ?? 0;
  const last = run.at(-1);
  const bytes = new Uint8Array(last ? last.at + last.bytes.length - at : 0);
  for (const segment of run) bytes.set(segment.bytes, segment.at - at);
  return {at, bytes};
}

function dataOf(all: readonly Segment[]): Uint8Array {
  const content = Buffer.concat([
    unsigned(all.length),
    ...all.flatMap(({at, bytes}) => [
      Uint8Array.of(active, i32Const),
      signed(at),
      Uint8Array.of(end),
      unsigned(bytes.length),
      bytes,
    ]),
  ]);
  return Buffer.concat([Uint8Array.of(dataSection), unsigned(content.length), content]);
}

/** A number in LEB128, as WebAssembly has it. */
function unsigned(value: number): Uint8Array {
  const out: number[] = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) out.push((value % 0x80) | 0x80);
  return Uint8Array.of(...out, value);
}

/** The same with a sign, in the last byte's second bit. */
function signed(value: number): Uint8Array {
  const out: number[] = [];
  for (; value < -0x40 || value >= 0x40; value >>= 7) out.push((value & 0x7f) | 0x80);
  return Uint8Array.of(...out, value & 0x7f);
}

/** Reads a program from an offset on. */
class Reader {
  readonly #data: Uint8Array;
  at: number;

  constructor(data: Uint8Array, at: number) {
    this.#data = data;
    this.at = at;
  }

  get left(): number {
    return this.#data.length - this.at;
  }

  byte(): number {
    const value = this.#data[this.at++];
    if (value === undefined) throw new Error(`wasm: ends at ${this.#data.length}`);
    return value;
  }

  bytes(count: number): Uint8Array {
    if (count > this.left) throw new Error(`wasm: ${count} bytes at ${this.at}, there are ${this.left}`);
    this.at += count;
    return this.#data.subarray(this.at - count, this.at);
  }

  unsigned(): number {
    return this.#number().value;
  }

  signed(): number {
    const {value, scale, last} = this.#number();
    return last & 0x40 ? value - scale : value;
  }

  #number(): {value: number; scale: number; last: number} {
    let value = 0;
    for (let scale = 0x80, unit = 1; ; unit = scale, scale *= 0x80) {
      const last = this.byte();
      value += (last & 0x7f) * unit;
      if (last < 0x80) return {value, scale, last};
    }
  }
}
