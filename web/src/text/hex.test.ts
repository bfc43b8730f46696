import {expect, test} from 'vitest';
import {brief, column, digits, format, parse, within, words} from './hex.ts';

test.each([
  ['0x0000555d7753953e', 0x555d7753953en],
  ['0xffffffffffffffff', 0xffffffffffffffffn],
  ['0x', null],
  ['555d', null],
  ['0x12g4', null],
  [null, null],
  [undefined, null],
])('parse(%s)', (text, want) => expect(parse(text)).toBe(want));

test('brief has no leading zeros, column has them all, digits has neither zeros nor 0x', () => {
  expect(brief('0x00000000000000AF')).toBe('0xaf');
  expect(column('0x00000000000000AF')).toBe('00000000000000af');
  expect(digits('0x00000000000000AF')).toBe('af');
  expect(brief('0x0000')).toBe('0x0');
});

test('what is no address stays as it is', () => {
  expect(brief('hello')).toBe('hello');
  expect(column('hello')).toBe('hello');
});

test('format pads to the pointer', () => {
  expect(format(0x1fn, 4)).toBe('0x0000001f');
  expect(format(0x1fn, 8)).toBe('0x000000000000001f');
});

test('within does not wrap around', () => {
  expect(within(0x10n, 0x10n, 1n)).toBe(true);
  expect(within(0x11n, 0x10n, 1n)).toBe(false);
  expect(within(0x0fn, 0x10n, 1n)).toBe(false);
  expect(within(0xffffffffffffffffn, 0xfffffffffffffff0n, 0x10n)).toBe(true);
});

test('words of both widths and both orders; a rest is left out', () => {
  const bytes = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(words(bytes, 8, false)).toEqual([0x0807060504030201n]);
  expect(words(bytes, 4, false)).toEqual([0x04030201n, 0x08070605n]);
  expect(words(bytes, 4, true)).toEqual([0x01020304n, 0x05060708n]);
  expect(words(bytes.subarray(1), 8, true)).toEqual([0x0203040506070809n]);
});
