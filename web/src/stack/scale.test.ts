import {expect, test} from 'vitest';
import {frame, inline, report, thread} from '../../test/make.ts';
import {blocks, frameOn, freeBytes, isPointed, largestFrame, partOf} from './scale.ts';

const at = (sp: number, name = 'f', more: object = {}) => ({sp, name, more});
const stack = (...all: ReturnType<typeof at>[]) =>
  thread(
    all.map(({sp, name, more}, i) => frame(i, {function: name, registers: {rsp: `0x${sp.toString(16)}`}, ...more})),
  );
const bytes = (...all: ReturnType<typeof at>[]) => blocks(stack(...all)).map(({from, to, bytes}) => [from, to, bytes]);

test('a frame is as large as the distance to the next one; the last has none', () => {
  expect(bytes(at(0x1000, 'a'), at(0x1040, 'b'), at(0x2000, 'c'))).toEqual([
    [0, 0, 0x40],
    [1, 1, 0xfc0],
  ]);
  expect(blocks(stack(at(0x1000, 'a'), at(0x1040, 'b'), at(0x2000, 'c')))).toMatchObject([
    {y: 0, height: 13},
    {y: 13, height: 217},
  ]);
});

test('a recursion is one block, and a function that keeps nothing is none', () => {
  const deep = Array.from({length: 100}, (_, i) => at(0x1000 + i * 0x60, 'deep'));
  expect(bytes(at(0x0ff0, 'leaf'), ...deep, at(0x1000 + 100 * 0x60, 'main'), at(0x4000, 'start'))).toEqual([
    [0, 0, 0x10],
    [1, 100, 0x2580],
    [101, 101, 0xa80],
  ]);
  expect(bytes(at(0x1000, 'a'), at(0x1000, 'b'), at(0x1010, 'c'), at(0x1030, 'd'))).toEqual([
    [1, 1, 0x10],
    [2, 2, 0x20],
  ]);
});

test.each([
  ['guesses', at(0x1100, 'c', {guess: true})],
  ['a stack that goes down', at(0x100, 'c')],
  ['another stack', at(0x7fff00000000, 'c')],
  ['no registers', at(0, 'c', {registers: null})],
])('%s end it, and fewer than two frames are not drawn', (_, last) => {
  expect(bytes(at(0x1000, 'a'), at(0x1040, 'b'), at(0x1080, 'x'), last)).toHaveLength(2);
  expect(bytes(at(0x1000, 'a'), at(0x1040, 'b'), last)).toEqual([]);
});

test('blocks have the numbers of rows, which inlined calls have, too', () => {
  const inlines = [inline('within')];
  expect(bytes(at(0x1000, 'a', {inlines}), at(0x1040, 'b'), at(0x1080, 'c'))).toEqual([
    [1, 1, 0x40],
    [2, 2, 0x40],
  ]);
});

test('many frames are fourteen blocks', () => {
  const many = Array.from({length: 40}, (_, i) => at(0x1000 + i * 0x10, `f${i}`));
  expect(bytes(...many)).toHaveLength(14);
  expect(bytes(...many).at(-1)).toEqual([13, 38, 26 * 0x10]);
});

test('what is free ends at the guard page', () => {
  const region = (base: number, size: number, protection: string) => ({
    base: `0x${base.toString(16)}` as const,
    size: `0x${size.toString(16)}` as const,
    protection,
    state: 'committed',
    kind: 'private',
    name: '',
    captured: true,
  });
  const of = stack(at(0x15000), at(0x15040));
  const memory_regions = [region(0xf000, 0x1000, '---'), region(0x10000, 0x8000, 'rw-')];
  expect(freeBytes(report({memory_regions}), of)).toBe(0x5000);
  expect(freeBytes(report({memory_regions: memory_regions.slice(1)}), of)).toBeNull();
  expect(freeBytes(report(), of)).toBeNull();
});

test('the largest frame is one whose variables can be named, not a recursion', () => {
  const of = stack(at(0x1000, 'a'), at(0x1040, 'b'), at(0x2000, 'c'));
  expect(largestFrame(blocks(of))).toMatchObject({frames: {first: 1, last: 1}, bytes: 0xfc0});
  const deep = Array.from({length: 100}, (_, i) => at(0x1000 + i * 0x60, 'deep'));
  const recursion = stack(...deep, at(0x1000 + 100 * 0x60, 'main'), at(0x4000, 'start'));
  expect(largestFrame(blocks(recursion))).toBeNull();
  expect(largestFrame([])).toBeNull();
});

test('an address is on the frame whose stack pointer is the next below it', () => {
  const of = stack(at(0x1000, 'a'), at(0x1040, 'b'), at(0x2000, 'c'));
  expect([0xff8n, 0x1000n, 0x103fn, 0x1040n, 0x1fffn, 0x2000n].map(address => frameOn(of, address))).toEqual([
    null,
    0,
    0,
    1,
    1,
    null,
  ]);
});

test('a frame has the stack up to the next one', () => {
  const of = stack(at(0x1000, 'a'), at(0x1040, 'b'), at(0x1040, 'c'), at(0x2000, 'd'));
  expect([0, 1, 2, 3, 4].map(frame => partOf(of, frame))).toEqual([
    {from: 0x1000n, to: 0x1040n},
    null,
    {from: 0x1040n, to: 0x2000n},
    null,
    null,
  ]);
});

test('frames that the pointer is on are those of one thread', () => {
  const pointed = {thread: 1, first: 2, last: 4};
  const on = (thread: number, first: number, last = first) => isPointed(pointed, thread, {first, last});
  expect([on(1, 2), on(1, 4), on(1, 0, 9), on(1, 5), on(1, 0, 1), on(0, 2)]).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(isPointed(null, 1, {first: 0, last: 9})).toBe(false);
});
