import {expect, test} from 'vitest';
import {frame, module, report, thread} from '../../test/make.ts';
import {absent} from './bytes.ts';
import {meanings} from './meaning.ts';

const little = (value: bigint): number[] => Array.from({length: 8}, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));

const dump = report({
  modules: [module('app', {base_addr: '0x0000000000400000', end_addr: '0x0000000000500000'})],
  memory_regions: [
    {
      base: '0x0000000000600000',
      size: '0x0000000000001000',
      protection: 'rw-',
      state: 'committed',
      kind: 'private',
      name: '',
      captured: true,
    },
  ],
});
const reader = {thread: thread([frame(0)]), frame: frame(0)};
const row = (address: bigint, ...values: bigint[]) => ({address, bytes: values.flatMap(little), text: ''});
const kinds = (of: ReturnType<typeof row>, ...touched: bigint[]): string[] =>
  meanings(of, dump, reader, touched).map(({kind, at, words}) => `${kind} ${at} ${words}`.trim());

test('words that point somewhere, text, and the touched one', () => {
  expect(kinds(row(0x600000n, 0x400010n, 0x600020n))).toEqual(['code 0 app + 0x10', 'pointer 8 rw- memory']);
  expect(kinds(row(0x600000n, 0x2d313532302d3632n, 7n))).toEqual(['string 0']);
  expect(kinds(row(0x600000n, 0x400010n, 0x10n), 0x60000cn)).toEqual(['code 0 app + 0x10', 'touched 8 0x10']);
});

test('words begin where pointers are, and need all of their bytes', () => {
  expect(kinds(row(0x600004n, 0x0040001000000000n, 0n))).toEqual(['code 4 app + 0x10']);
  expect(kinds(row(0x600004n, 0x40001000000000n << 8n, 0x400010n))).toEqual([]);
  const cut = {...row(0x600000n, 0x400010n), bytes: [...little(0x400010n).slice(0, 7), absent]};
  expect(meanings(cut, dump, reader, [])).toEqual([]);
});
