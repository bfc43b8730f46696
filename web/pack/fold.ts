// Folds the code of Go's program for WebAssembly, so that it compresses better: see src/offline/folded.ts, which unfolds it.
import {
  BLOCK,
  Blocks,
  BR,
  BR_IF,
  BR_TABLE,
  BULK,
  bulk,
  CALL,
  CALLS,
  CODE_SECTION,
  Code,
  constant,
  END,
  FOLDED,
  HEAD,
  HEADS,
  INDIRECT_CALL,
  JUMP,
  LOOP,
  MODULE,
  opens,
  operands,
  RELOAD,
  RETURN_ADDRESS,
  TEXTS,
  UNWIND,
  unfolded,
  writeHead,
} from '../src/offline/folded.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** The program in its folded form, which has been unfolded again to compare it. What is no program stays as it is. */
export async function fold(program: Buffer): Promise<Buffer> {
  if (!MODULE.every((byte, i) => program[i] === byte)) return program;
  const folded = new Folding(Uint8Array.from(program)).whole();
  const again = await new Response(new Blob([folded]).stream().pipeThrough(unfolded())).arrayBuffer();
  if (Buffer.compare(new Uint8Array(again), program) !== 0) throw new Error('wasm: the folded program is another one');
  return Buffer.from(folded);
}

class Folding {
  readonly #program: Bytes;
  #at = 8;
  readonly #code = new Code();
  /** The number that Go gives the first function; -1 before the first call. */
  #first = -1;
  #function = 0;

  constructor(program: Bytes) {
    this.#program = program;
  }

  whole(): Bytes {
    const whole: Bytes[] = [Uint8Array.from(FOLDED)];
    while (this.#at < this.#program.length) {
      const start = this.#at;
      const kind = this.#byte();
      const end = this.#unsigned() + this.#at;
      if (kind === CODE_SECTION) {
        const count = this.#unsigned();
        whole.push(this.#program.slice(start, this.#at), ...this.#blocks(count));
      } else {
        whole.push(this.#program.slice(start, end));
        this.#at = end;
      }
    }
    return new Uint8Array(Buffer.concat(whole));
  }

  /** The number of the first function, and the blocks of functions. */
  #blocks(count: number): Bytes[] {
    const blocks: Bytes[] = [];
    for (let i = 0; i < count; i += BLOCK) {
      for (this.#function = i; this.#function < Math.min(i + BLOCK, count); this.#function++) this.#fold();
      const block = this.#code.take();
      this.#code.unsigned(block.length);
      blocks.push(this.#code.take(), block);
    }
    this.#code.unsigned(Math.max(this.#first, 0));
    return [this.#code.take(), ...blocks];
  }

  #fold(): void {
    const end = this.#unsigned() + this.#at;
    for (let locals = 2 * this.#copy(); locals > 0; locals--) this.#copy();
    const blocks = new Blocks();
    if (!this.#head(blocks)) this.#code.byte(0);
    while (this.#at < end) this.#instruction(blocks);
    if (this.#at !== end || blocks.open !== 0)
      throw new Error(`wasm: function ${this.#function} has blocks that are not closed`);
  }

  /** Folds the head of a function, if it has one as Go writes it. */
  #head(blocks: Blocks): boolean {
    const start = this.#at;
    let flags = HEAD;
    if (this.#take(HEADS.reload)) flags |= RELOAD;
    let count = this.#takeAll(HEADS.block);
    const outer = count;
    const hasLoop = this.#take(HEADS.loop);
    if (hasLoop) {
      flags |= LOOP;
      count = this.#takeAll(HEADS.block);
    }
    if (this.#take(HEADS.table)) {
      const places = placesOf(Array.from({length: this.#unsigned() + 1}, () => this.#unsigned()));
      const unwinds = hasLoop ? outer : count - places.length;
      if (unwinds === 1) flags |= UNWIND;
      const written = new Code();
      writeHead(written, flags, places, blocks);
      this.#at = start;
      if (places.at(-1) === 1 && this.#take(written.take())) {
        this.#code.byte(flags);
        this.#code.unsigned(places.length);
        for (const count of places.slice(0, -1)) this.#code.unsigned(count);
        return true;
      }
      throw new Error(`wasm: function ${this.#function} has a head of another form`);
    }
    this.#at = start;
    return false;
  }

  #instruction(blocks: Blocks): void {
    const code = this.#code;
    if (this.#call(blocks) || this.#jump(blocks) || this.#text(blocks)) return;
    const op = this.#byte();
    if (op >= CALL && op < BULK) throw new Error(`wasm: opcode ${op} in function ${this.#function}`);
    code.byte(op);
    let count = operands[op] ?? 0;
    if (op === BR || op === BR_IF) code.unsigned(blocks.open - this.#unsigned());
    else if (op === BR_TABLE) count = this.#copy() + 1;
    else if (op === BULK) count = bulk(this.#copy());
    for (; count > 0; count--) this.#copy();
    for (let i = constant(op); i > 0; i--) code.byte(this.#byte());
    if (opens(op)) blocks.open++;
    else if (op === END) blocks.close();
  }

  #call(blocks: Blocks): boolean {
    const start = this.#at;
    if (!this.#take(CALLS.begin)) return false;
    const address = this.#unsigned();
    const [number, place] = [Math.floor(address / 0x10000), address % 0x10000];
    if (this.#first < 0) this.#first = number - this.#function;
    if (number !== this.#first + this.#function) {
      this.#at = start;
      return false;
    }
    const code = this.#code;
    const difference = place - blocks.expected;
    const behind = this.#at;
    const isDirect = this.#take(CALLS.direct);
    const called = isDirect ? this.#operand() : new Uint8Array();
    const isWhole = (isDirect ? this.#take(CALLS.end) : this.#take(CALLS.indirect)) && this.#take(unwinding(blocks));
    if (!isWhole) this.#at = behind;
    const kind = isWhole ? (isDirect ? CALL : INDIRECT_CALL) : RETURN_ADDRESS - 1;
    const hasDifference = difference !== 0 || !isWhole;
    code.byte(kind + (hasDifference ? 1 : 0));
    if (hasDifference) code.unsigned(withSign(difference));
    if (!isWhole) return true;
    blocks.called(place);
    code.text(called);
    blocks.close();
    return true;
  }

  #jump(blocks: Blocks): boolean {
    const start = this.#at;
    if (!this.#take([0x41])) return false;
    const place = this.#unsigned();
    const kind = this.#take([0x21, 0, BR]) ? blocks.open - 2 - this.#unsigned() : -1;
    if (kind !== 0 && kind !== 1) {
      this.#at = start;
      return false;
    }
    this.#code.byte(JUMP + kind);
    const piece = blocks.pieceAt(place);
    this.#code.unsigned(piece === null ? 0 : withSign(piece - blocks.piece) + 1);
    if (piece === null) this.#code.unsigned(place);
    return true;
  }

  #text(blocks: Blocks): boolean {
    const start = this.#at;
    // The longest first.
    for (const [op, {before, after}] of texts) {
      if (!this.#take(before)) continue;
      const operand = this.#operand();
      if (this.#take(after)) {
        this.#code.byte(op);
        this.#code.text(operand);
        if (after.at(-1) === END) blocks.close();
        return true;
      }
      this.#at = start;
    }
    return false;
  }

  #take(bytes: ArrayLike<number>): boolean {
    for (let i = 0; i < bytes.length; i++) if (this.#program[this.#at + i] !== bytes[i]) return false;
    this.#at += bytes.length;
    return true;
  }

  #takeAll(bytes: ArrayLike<number>): number {
    let count = 0;
    while (this.#take(bytes)) count++;
    return count;
  }

  #byte(): number {
    const byte = this.#program[this.#at++];
    if (byte === undefined) throw new Error(`wasm: the program ends in function ${this.#function}`);
    return byte;
  }

  #unsigned(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 0x80) {
      const byte = this.#byte();
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
    }
  }

  /** A number as it stands: the linker writes those of functions with a byte more than some need. */
  #operand(): Bytes {
    const start = this.#at;
    this.#unsigned();
    return this.#program.subarray(start, this.#at);
  }

  /** Copies a number, and returns it. */
  #copy(): number {
    const start = this.#at;
    const value = this.#unsigned();
    this.#code.text(this.#program.subarray(start, this.#at));
    return value;
  }
}

const texts = Object.entries(TEXTS)
  .map(([op, text]) => [Number(op), text] as const)
  .sort(([, a], [, b]) => b.before.length + b.after.length - a.before.length - a.after.length);

/** The end of a call, which leaves the function if its goroutine is to wait. */
function unwinding(blocks: Blocks): Bytes {
  const code = new Code();
  code.byte(BR_IF);
  code.unsigned(blocks.open - 2);
  code.byte(END);
  return code.take();
}

/** How many entries of a table jump to each piece. */
function placesOf(table: readonly number[]): number[] {
  const places: number[] = [];
  for (const piece of table) places[piece] = (places[piece] ?? 0) + 1;
  return Array.from(places, count => count ?? 0);
}

const withSign = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
