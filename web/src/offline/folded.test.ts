import {readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {fold} from '../../pack/fold.ts';
import {FOLDED, MODULE, unfolded} from './folded.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');

/** Unfolds what comes in pieces of a size. */
async function unfold(folded: Uint8Array, piece = folded.length): Promise<Buffer> {
  const pieces = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(to) {
      for (let at = 0; at < folded.length; at += piece) to.enqueue(Uint8Array.from(folded.subarray(at, at + piece)));
      to.close();
    },
  });
  return Buffer.from(await new Response(pieces.pipeThrough(unfolded())).arrayBuffer());
}

const section = (kind: number, content: Buffer): Buffer => {
  const size = Buffer.from([
    (content.length % 128) | 128,
    ((content.length >> 7) % 128) | 128,
    (content.length >> 14) | 128,
    128,
    0,
  ]);
  return Buffer.concat([Buffer.from([kind]), size, content]);
};

/** A module of functions, with another section before and after them. The linker writes the sizes of sections in five bytes. */
function program(...functions: Buffer[]): Buffer {
  const sized = functions.map(code =>
    Buffer.concat([
      code.length < 128 ? Buffer.from([code.length]) : Buffer.from([(code.length % 128) | 128, code.length >> 7]),
      code,
    ]),
  );
  const code = Buffer.concat([Buffer.from([functions.length]), ...sized]);
  return Buffer.concat([
    Buffer.from(MODULE),
    section(1, hex('01600000')),
    section(10, code),
    section(11, Buffer.from('data')),
  ]);
}

// As Go writes them; the first one has the number 0x1000.
const plain = hex('00 2000 0f 0b');
const head = '01027f 2300 2101 0240 0340 0240 0240 0240 2000 0e03 00 00 01 02 0b';
const more =
  '2001 2302 a7 280210 4d 0440 2001 4108 6b 2201 2400 2001 42 8080 84 8001 370300 4100 10c400 2300 2101 0d04 0b';
const body = `
  2001 4120 6b 2201 2400
  2001 290308 50 0440 2001 4108 6b 2201 2400 2001 42 8180 84 8001 370300 4100 10dd06 2300 2101 0d04 0b
  2001 ad 4210 7c a7 2001 ad 42c800 7c 370300
  2001 4108 6b 2201 2400 2001 42 8280 84 8001 370300 4210 88 a7 2100 4100 2000 110000 2300 2101 0d03 0b
  4100 2100 0c01 4109 2100 0c01
  2001 4120 6a 2201 2400 2001 4108 6a 2201 2400 4100 0f 0b
  0b 00 0b 4101 0b`;
const numbers = hex(
  '00 41c000 1a 42ffffffffffffffffff00 1a 428080808080808080807f 1a 43000000e0 1a 44e0e1e2e3e4e5e6e7 1a fc0a0000 fc0b00 fc01 0b',
);
const calls = hex(
  '00 2001 4108 6b 2201 2400 2001 42 8080 8c 8001 370300 4100 1001 0440 00 0b 2001 4108 6b 2201 2400 2001 42 8080 90 8001 0b',
);

const whole = program(plain, hex(`${head}${more}${body}`), numbers, calls);

test('what Go writes for calls, jumps, returns and the stack is folded, and unfolded again', async () => {
  const folded = await fold(whole);
  expect([...folded.subarray(0, 8)]).toEqual(FOLDED);
  expect(folded.includes(hex('0440 e0c400')), 'the call for more stack, whose function has two bytes').toBe(true);
  expect(folded.includes(hex('e102dd06')), 'a call that panics').toBe(true);
  expect(folded.includes(hex('f210 f1c800')), 'addresses on the stack').toBe(true);
  expect(
    folded.includes(hex('e2 e702 e700 09')),
    'a call by address, a jump to the first piece, and one to no piece',
  ).toBe(true);
  expect(folded.includes(hex('f820')), 'a return').toBe(true);
  expect(folded.includes(hex('e500 370300')), 'a call that goes on otherwise').toBe(true);
  for (const piece of [1, 7, 1000]) expect((await unfold(folded, piece)).toString('hex')).toBe(whole.toString('hex'));
});

test('crashglass serve, which unfolds the program too, is tested with the same one', async () => {
  const file = (name: string): Promise<Buffer> =>
    readFile(fileURLToPath(new URL(`../../../cmd/internal/page/testdata/${name}`, import.meta.url)));
  expect((await file('program')).equals(whole)).toBe(true);
  expect((await file('folded')).equals(await fold(whole))).toBe(true);
});

test('many functions are folded by block', async () => {
  const many = program(...Array.from({length: 100}, () => plain));
  const folded = await fold(many);
  for (const piece of [13, 1000]) expect((await unfold(folded, piece)).equals(many)).toBe(true);
});

test.each([
  ['nothing', ''],
  ['a text', Buffer.from('Crashglass').toString('hex')],
  ['the beginning of a program', '0061736d'],
  ['a program that is not folded', Buffer.from(program(plain)).toString('hex')],
])('%s stays as it is', async (_, text) => {
  for (const piece of [1, 100]) expect((await unfold(hex(text), piece)).toString('hex')).toBe(text);
});

test('a folded program that ends too soon is an error', async () => {
  const folded = await fold(whole);
  for (let size = 8; size < folded.length; size++) {
    if ([8, 18, folded.length - 10].includes(size)) continue; // between sections, of which the first and the last have 10 bytes
    await expect(unfold(folded.subarray(0, size)), `${size} bytes`).rejects.toThrow(/truncated/);
  }
});

test.each([
  ['an opcode of no meaning', 'f3', 'opcode 243'],
  ['a block of another size', '0f0b 0b', 'truncated'],
])('%s is an error', async (_, code, message) => {
  const content = Buffer.concat([
    hex('01 00'),
    Buffer.from([2 + code.replaceAll(' ', '').length / 2]),
    hex(`0000${code}`),
  ]);
  await expect(unfold(Buffer.concat([Buffer.from(FOLDED), section(10, content)]))).rejects.toThrow(message);
});

test.each([
  ['an opcode that WebAssembly does not use', '00 e0 0b', 'opcode 224 in function 0'],
  ['a block that is not closed', '00 0240 0b', 'blocks that are not closed'],
])('%s is not folded', async (_, code, message) => {
  await expect(fold(program(hex(code)))).rejects.toThrow(message);
});
