import {expect, test} from 'vitest';
import {joined} from './segments.ts';

const magic = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
// A memory of one page, exported as "m".
const memory = [5, 3, 1, 0, 1, 7, 5, 1, 1, 0x6d, 2, 0];
const segment = (at: number[], ...bytes: number[]): number[] => [0, 0x41, ...at, 0x0b, bytes.length, ...bytes];
const data = (...all: number[][]): number[] => {
  const content = [all.length, ...all.flat()];
  return [11, content.length, ...content];
};

/** The first bytes of the program's memory. */
async function filled(program: Uint8Array): Promise<Uint8Array> {
  const {instance} = await WebAssembly.instantiate(new Uint8Array(program));
  const {m} = instance.exports;
  if (!(m instanceof WebAssembly.Memory)) throw new Error('no memory');
  return new Uint8Array(m.buffer);
}

test('pieces that are near become one, in the order of addresses', () => {
  const near = data(segment([0x30], 5, 6), segment([8], 1, 2), segment([12], 3));
  const want = data(segment([8], 1, 2, 0, 0, 3, ...Array<number>(35).fill(0), 5, 6));
  expect([...joined(Uint8Array.from([...magic, ...memory, ...near]))]).toEqual([...magic, ...memory, ...want]);
});

test('pieces that are far from each other stay, and other sections, too', () => {
  const program = Uint8Array.from([
    ...magic,
    ...memory,
    ...data(segment([8], 1), segment([0xca, 0], 2)),
    0,
    2,
    1,
    0x78,
  ]);
  expect([...joined(program)]).toEqual([...program]);
});

test('memory is the same before and after, and a second time changes nothing', async () => {
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 48271) % 0x7fffffff;
    return seed % below;
  };
  for (let round = 0; round < 50; round++) {
    const all: number[][] = [];
    for (let at = random(200); at < 8000; at += random(200)) {
      const bytes = Array.from({length: 1 + random(20)}, () => random(256));
      all.push(segment(at < 0x40 ? [at] : at < 0x2000 ? [(at & 0x7f) | 0x80, at >> 7] : [], ...bytes));
      at += bytes.length;
    }
    const content = [...unsigned(all.length), ...all.flat()];
    const program = Uint8Array.from([...magic, ...memory, 11, ...unsigned(content.length), ...content]);
    const once = joined(program);
    expect(Buffer.compare(await filled(once), await filled(program))).toBe(0);
    expect(Buffer.compare(joined(once), once)).toBe(0);
  }
});

const unsigned = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7]);

test.each([
  ['a passive segment', [1, 1, 0], 'data segment of kind 1'],
  ['a computed address', [1, 0, 0x23, 0, 0x0b, 0], 'data segment of kind 0'],
  ['a truncated one', [1, 0, 0x41, 8, 0x0b, 9, 1], '9 bytes at 6, there are 1'],
  ['overlapping ones', [2, ...segment([8], 1, 2), ...segment([9], 3)], 'overlap at 9'],
])('%s is refused', (_, content, message) => {
  expect(() => joined(Uint8Array.from([...magic, 11, content.length, ...content]))).toThrow(message);
});
