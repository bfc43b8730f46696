// Go's program for WebAssembly from its folded form, which pack/fold.ts makes and which compresses a fifth better. Most of a program's code are
// sequences that Go's compiler writes for each call, jump and return (cmd/internal/obj/wasm/wasmobj.go), with numbers that depend on their place: a
// return address, and the distance to an outer block. In the folded form each is an opcode that WebAssembly does not use.
//
// The form is that of a module, with another version. Its code section has, after the number of functions: the number that Go gives the first one, and
// blocks of functions, each with its size before it.

type Bytes = Uint8Array<ArrayBuffer>;

/** How a module and its folded form begin. */
export const MODULE = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
export const FOLDED = [0, 0x61, 0x73, 0x6d, 0x66, 0, 0, 0];

export const CODE_SECTION = 10;

/** Functions of a block. */
export const BLOCK = 64;

/** Opcodes of the folded form. An operand of the odd ones of calls is the difference between the return address and the expected one. */
export const CALL = 0xe0;
export const INDIRECT_CALL = 0xe2;
export const RETURN_ADDRESS = 0xe5;
export const JUMP = 0xe6;

/** What is written as one opcode wherever it stands: texts of code around an operand. */
export const TEXTS: Readonly<Record<number, {readonly before: Bytes; readonly after: Bytes}>> = {
  240: {before: hex('2001 2903'), after: hex('')}, // a load from the stack
  241: {before: hex('2001ad42'), after: hex('7c')}, // an address on the stack
  242: {before: hex('2001ad42'), after: hex('7ca7')},
  248: {before: hex('41'), after: hex('6a2201240020014108 6a2201240041000f0b')}, // the return of a function with a frame
};

/** A call: the stack pointer is lowered, the return address is stored, and the stack pointer is read again. */
export const CALLS = {
  begin: hex('200141086b22012400200142'),
  direct: hex('370300410010'),
  indirect: hex('370300421088a721004100200011000023002101'),
  end: hex('23002101'),
};

/** A function with blocks begins with its stack pointer, blocks, and a table that jumps to one of them. */
export const HEADS = {reload: hex('23002101'), block: hex('0240'), loop: hex('0340'), table: hex('20000e')};

/** Flags of a head, which is 0 if there is none. */
export const HEAD = 16;
export const RELOAD = 1;
export const LOOP = 2;
export const UNWIND = 4;

export const [END, BR, BR_IF, BR_TABLE, BULK] = [0x0b, 0x0c, 0x0d, 0x0e, 0xfc];

/** Instructions that begin a block. */
export const opens = (op: number): boolean => op >= 0x02 && op <= 0x04;

/** How many numbers in LEB128 each instruction has. A type is one, too; BR_TABLE and BULK have their own rules. */
export const operands = Uint8Array.from({length: 256}, (_, op) => {
  if (op === 0x11 || (op >= 0x28 && op <= 0x3e)) return 2;
  return opens(op) || op === 0x10 || (op >= 0x20 && op <= 0x24) || (op >= 0x3f && op <= 0x42) ? 1 : 0;
});

/** Bytes of a floating-point constant. */
export const constant = (op: number): number => (op === 0x43 ? 4 : op === 0x44 ? 8 : 0);

/** How many numbers an instruction of BULK has: those that copy and fill memory, by their number. */
export const bulk = (kind: number): number => (kind === 10 || kind === 8 ? 2 : kind === 11 ? 1 : 0);

function hex(text: string): Bytes {
  return Uint8Array.from(text.replaceAll(' ', '').match(/../g) ?? [], byte => Number.parseInt(byte, 16));
}

/** What the numbers in a function depend on: which of its blocks are open, and which places calls return to. */
export class Blocks {
  /** How many are open, with the function itself. */
  open = 1;
  /** How many of these are outside of conditions. */
  #level = 1;
  /** The piece of code that is at hand, of those that the table at the head jumps to. */
  piece = 0;
  /** The place behind each piece, which a call at its end returns to. */
  #ends: readonly number[] = [];
  #last = 0;

  /** Begins pieces, each of which has so many places. */
  begin(places: readonly number[], outer: number): void {
    let end = 0;
    this.#ends = places.map(count => (end += count));
    this.open = this.#level = outer + places.length;
  }

  close(): void {
    if (--this.open >= this.#level) return;
    this.#level = this.open;
    this.#last = this.start(++this.piece);
  }

  /** The place where a piece begins. */
  start(piece: number): number {
    return this.#ends[piece - 1] ?? 0;
  }

  /** The piece that begins at a place; null if none does. */
  pieceAt(place: number): number | null {
    const piece = place === 0 ? 0 : this.#ends.indexOf(place) + 1;
    return place === 0 || piece > 0 ? piece : null;
  }

  /** The place that a call returns to: the next piece, or, if it panics or wants more stack, one within this piece. */
  get expected(): number {
    if (this.open === this.#level) return this.#ends[this.piece] ?? 0;
    return this.#last === 0 && this.piece === 0 ? 0 : this.#last + 1;
  }

  called(place: number): void {
    this.#last = place;
  }
}

/** Writes code. */
export class Code {
  #bytes: Bytes = new Uint8Array(1 << 17);
  size = 0;

  byte(value: number): void {
    if (this.size === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.size);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.size++] = value;
  }

  text(bytes: Uint8Array): void {
    for (const byte of bytes) this.byte(byte);
  }

  unsigned(value: number): void {
    for (; value >= 0x80; value = Math.floor(value / 0x80)) this.byte((value % 0x80) | 0x80);
    this.byte(value);
  }

  /** A number that is not negative, as one with a sign. */
  signed(value: number): void {
    for (; value >= 0x40; value = Math.floor(value / 0x80)) this.byte((value % 0x80) | 0x80);
    this.byte(value);
  }

  /** Puts the number of bytes since a place before them. */
  sized(since: number): void {
    const [count, end] = [this.size - since, this.size];
    this.unsigned(count);
    const room = this.size - end;
    this.#bytes.copyWithin(since + room, since, end);
    this.size = since;
    this.unsigned(count);
    this.size = end + room;
  }

  /** What was written, which is forgotten here. */
  take(): Bytes {
    const taken = this.#bytes.slice(0, this.size);
    this.size = 0;
    return taken;
  }
}

/** A stream that unfolds a program. What is none stays as it is. */
export function unfolded(): ReadableWritablePair<Bytes, Bytes> {
  const program = new Program();
  return new TransformStream<Bytes, Bytes>({
    transform(bytes, to) {
      program.add(bytes);
      for (let made = program.next(); made !== null; made = program.next()) to.enqueue(made);
    },
    flush(to) {
      to.enqueue(program.rest());
    },
  });
}

const ended = (): Error => new Error('wasm: the packed program is truncated');

class Program {
  #waiting: Bytes = new Uint8Array();
  #at = 0;
  #isStarted = false;
  /** Bytes that are passed on as they are. */
  #plain = 0;
  /** Functions that are still to come. */
  #functions = 0;
  /** The number that Go gives the next function. */
  #number = 0;
  readonly #code = new Code();

  add(bytes: Bytes): void {
    const left = this.#waiting.subarray(this.#at);
    this.#waiting = new Uint8Array(left.length + bytes.length);
    this.#waiting.set(left);
    this.#waiting.set(bytes, left.length);
    this.#at = 0;
  }

  /** The next piece of the program; null if it has not arrived. */
  next(): Bytes | null {
    const start = this.#at;
    try {
      return this.#piece();
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      this.#at = start;
      this.#code.size = 0;
      return null;
    }
  }

  /** What is left at the end. */
  rest(): Bytes {
    const isWhole =
      this.#plain === Number.POSITIVE_INFINITY ||
      (this.#plain === 0 && this.#functions === 0 && this.#at === this.#waiting.length);
    if (this.#isStarted && !isWhole) throw ended();
    return this.#waiting.slice(this.#at);
  }

  #piece(): Bytes | null {
    if (!this.#isStarted) return this.#begin();
    if (this.#plain > 0) return this.#pass();
    return this.#functions > 0 ? this.#block() : this.#section();
  }

  #begin(): Bytes {
    const first = this.#peek(FOLDED.length);
    const isFolded = FOLDED.every((byte, i) => first[i] === byte);
    this.#isStarted = true;
    if (!isFolded) this.#plain = Number.POSITIVE_INFINITY;
    else this.#at += first.length;
    return Uint8Array.from(isFolded ? MODULE : []);
  }

  #pass(): Bytes | null {
    const bytes = this.#waiting.slice(this.#at, this.#at + Math.min(this.#plain, this.#waiting.length));
    this.#at += bytes.length;
    this.#plain -= bytes.length;
    return bytes.length > 0 ? bytes : null;
  }

  #section(): Bytes {
    const start = this.#at;
    const kind = this.#byte();
    const size = this.#unsigned();
    const functions = kind === CODE_SECTION ? this.#unsigned() : 0;
    const head = this.#waiting.slice(start, this.#at);
    if (kind === CODE_SECTION) this.#number = this.#unsigned();
    else this.#plain = size;
    this.#functions = functions;
    return head;
  }

  #block(): Bytes {
    const end = this.#unsigned() + this.#at;
    if (end > this.#waiting.length) throw new Missing();
    const count = Math.min(BLOCK, this.#functions);
    for (let i = 0; i < count; i++) this.#function(this.#number + i);
    if (this.#at !== end) throw ended();
    this.#functions -= count;
    this.#number += count;
    return this.#code.take();
  }

  #function(number: number): void {
    const code = this.#code;
    const start = code.size;
    for (let locals = 2 * this.#copy(); locals > 0; locals--) this.#copy();
    const blocks = new Blocks();
    this.#head(blocks);
    while (blocks.open > 0) this.#instruction(this.#byte(), blocks, number);
    code.sized(start);
  }

  #head(blocks: Blocks): void {
    const flags = this.#byte();
    if (flags === 0) return;
    const places = Array.from({length: this.#unsigned() - 1}, () => this.#unsigned());
    places.push(1);
    writeHead(this.#code, flags, places, blocks);
  }

  #instruction(op: number, blocks: Blocks, number: number): void {
    const code = this.#code;
    if (op < CALL || op === BULK) {
      code.byte(op);
      if (op === BR || op === BR_IF) code.unsigned(blocks.open - this.#unsigned());
      else this.#operands(op);
      if (opens(op)) blocks.open++;
      else if (op === END) blocks.close();
    } else if (op < JUMP) this.#call(op, blocks, number);
    else if (op < JUMP + 2) this.#jump(op, blocks);
    else this.#text(op, blocks);
  }

  #text(op: number, blocks: Blocks): void {
    const text = TEXTS[op];
    if (!text) throw new Error(`wasm: the packed program has opcode ${op}`);
    this.#code.text(text.before);
    this.#copy();
    this.#code.text(text.after);
    if (text.after.at(-1) === END) blocks.close();
  }

  #operands(op: number): void {
    let count = operands[op] ?? 0;
    if (op === BR_TABLE) count = this.#copy() + 1;
    else if (op === BULK) count = bulk(this.#copy());
    for (; count > 0; count--) this.#copy();
    for (let i = constant(op); i > 0; i--) this.#code.byte(this.#byte());
  }

  #call(op: number, blocks: Blocks, number: number): void {
    const code = this.#code;
    const place = blocks.expected + (op % 2 === 1 ? this.#signed() : 0);
    code.text(CALLS.begin);
    code.signed(number * 0x10000 + place);
    if (op === RETURN_ADDRESS) return;
    blocks.called(place);
    code.text(op < INDIRECT_CALL ? CALLS.direct : CALLS.indirect);
    if (op < INDIRECT_CALL) this.#copy();
    if (op < INDIRECT_CALL) code.text(CALLS.end);
    code.byte(BR_IF);
    code.unsigned(blocks.open - 2);
    code.byte(END);
    blocks.close();
  }

  #jump(op: number, blocks: Blocks): void {
    const code = this.#code;
    const piece = this.#unsigned();
    const place = piece === 0 ? this.#unsigned() : blocks.start(blocks.piece + sign(piece - 1));
    code.byte(0x41);
    code.signed(place);
    code.byte(0x21);
    code.byte(0);
    code.byte(BR);
    code.unsigned(blocks.open - 2 - (op - JUMP));
  }

  #peek(count: number): Bytes {
    if (this.#at + count > this.#waiting.length) throw new Missing();
    return this.#waiting.subarray(this.#at, this.#at + count);
  }

  #byte(): number {
    const byte = this.#waiting[this.#at];
    if (byte === undefined) throw new Missing();
    this.#at++;
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

  #signed(): number {
    return sign(this.#unsigned());
  }

  /** Copies a number, and returns it. */
  #copy(): number {
    const start = this.#at;
    const value = this.#unsigned();
    for (let at = start; at < this.#at; at++) this.#code.byte(this.#waiting[at] ?? 0);
    return value;
  }
}

/** Bytes that have not arrived. */
class Missing extends Error {}

/** A number with its sign in the lowest bit. */
const sign = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

/** The head of a function that has so many places in each piece. */
export function writeHead(code: Code, flags: number, places: readonly number[], blocks: Blocks): void {
  if (flags & RELOAD) code.text(HEADS.reload);
  if (flags & UNWIND) code.text(HEADS.block);
  if (flags & LOOP) code.text(HEADS.loop);
  for (const _ of places) code.text(HEADS.block);
  code.text(HEADS.table);
  code.unsigned(places.reduce((sum, count) => sum + count) - 1);
  places.forEach((count, piece) => {
    for (let i = 0; i < count; i++) code.unsigned(piece);
  });
  code.byte(END);
  blocks.begin(places, (flags & UNWIND ? 1 : 0) + (flags & LOOP ? 1 : 0));
}
