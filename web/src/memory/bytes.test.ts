import {describe, expect, test} from 'vitest';
import {frame, module, report, thread} from '../../test/make.ts';
import type {CapturedRange} from '../engine/types.ts';
import {
  absent,
  around,
  byteRows,
  byteText,
  captured,
  lastAddress,
  meantRoughly,
  pageOf,
  pageSize,
  pattern,
  whatExists,
} from './bytes.ts';

test('a page knows which of its parts were captured', () => {
  const ranges = [
    {base: '0x0ff0', size: '0x20'},
    {base: '0x1800', size: '0x10'},
    {base: '0x1f00', size: '0x4000'},
    {base: '0x9000', size: '0x10'},
    {base: 'nonsense', size: '0x10'},
  ] as readonly CapturedRange[];
  expect(captured(ranges, 0x1000n)).toEqual([
    {from: 0x1000n, size: 0x10},
    {from: 0x1800n, size: 0x10},
    {from: 0x1f00n, size: 0x100},
  ]);
  expect(captured(ranges, 0x7000n)).toEqual([]);
});

describe('rows', () => {
  const page = new Int16Array(pageSize).fill(absent);
  page.set([0x48, 0x69, 0, 0xff], 0x10);
  const rows = byteRows(0x1010n, 2, 8, 8, at => (at === 0x1000n ? page : null));

  test('absent bytes are dots and never zeros', () => {
    expect(rows[0]?.bytes.map(byteText).join(' ')).toBe('48 69 00 ff ·· ·· ·· ··');
    expect(rows[0]?.text).toBe('Hi..    ');
    expect(rows[1]).toMatchObject({address: 0x1018n, text: '        '});
  });

  test('end where addresses end', () => {
    expect(byteRows(lastAddress(4) - 15n, 9, 16, 4, () => null)).toHaveLength(1);
    expect(byteRows(lastAddress(8) - 15n, 9, 16, 8, () => null)).toHaveLength(1);
  });

  test('pages begin at multiples', () => expect(pageOf(0xffffffffffffffffn)).toBe(0xfffffffffffff000n));
});

describe('what the user types', () => {
  const f = frame(0, {
    registers: {rax: '0x10', add: '0x77'},
    offset: '0x1234',
    function_offset: '0x34',
    function: 'work::run(int)',
  });
  const r = report({threads: [thread([f])], modules: [module('app', {base_addr: '0x4000'})]});
  test.each([
    ['0x1f', 0x1fn],
    ['00007fff`12345678', 0x7fff12345678n],
    [' rax ', 0x10n],
    ['rax+8', 0x18n],
    ['rax - 0x10', 0n],
    ['rax - 0x11', null],
    ['add', 0x77n],
    ['work::run(int)', 0x1200n],
    ['work::run + 4', 0x1204n],
    ['app+0x10', 0x4010n],
    ['WORK::RU + 4', 0x1204n],
    ['APP', 0x4000n],
    ['ap', null],
    ['constructor', null],
    ['nothing', null],
    ['', null],
    ['0xffffffffffffffff + 1', null],
    ['11112222333344445', null],
  ])('%s', (text, address) => expect(meantRoughly(text, r, f)).toBe(address));

  test('an unknown name is answered with the names that exist', () => {
    expect(whatExists(r, f)).toBe(
      'Neither an address nor a register, function or module of this report. Registers: rax, add of the selected frame. Functions: those of the stacks. Module: app.',
    );
    const more = {...r, modules: [...(r.modules ?? []), ...(r.modules ?? [])]};
    expect(whatExists(more, f)).toContain(' Modules: app and 1 other.');
    const registers = {rax: '0x1', rbx: '0x2', rcx: '0x3', rdx: '0x4'} as const;
    expect(whatExists(r, {...frame(0, 'f'), registers})).toContain(' Registers: rax, rbx, rcx… of the selected frame.');
    expect(whatExists(report(), null)).toBe(
      'Neither an address nor a register, function or module of this report. Functions: those of the stacks.',
    );
  });

  test('without a frame there are no registers', () => expect(meantRoughly('rax', r, null)).toBe(null));
});

test.each([
  ['48 8B 07', '488b07', '488b07'],
  ['0x488b', '488b', '488b'],
  ['0x488', '3078343838', '30007800340038003800'],
  ['be', '6265', '62006500'],
  ['é', 'c3a9', 'e900'],
  ['', null, null],
])('search for %s', (text, narrow, wide) => {
  expect(pattern(text, false)).toBe(narrow);
  expect(pattern(text, true)).toBe(wide);
});

test('UTF-16 of a big-endian machine has its high bytes first', () =>
  expect(pattern('be', true, true)).toBe('00620065'));

test('around a stretch without captured bytes are those that there are', () => {
  const ranges = [
    {base: '0x1000', size: '0x10'},
    {base: '0x3000', size: '0x20'},
    {base: '0x2000', size: '0x0'},
  ] as const;
  expect(around(ranges, 0x2000n, 0x100n)).toEqual({before: 0x100fn, after: 0x3000n});
  expect(around(ranges, 0x0n, 0x100n)).toEqual({before: null, after: 0x1000n});
  expect(around(ranges, 0x9000n, 0x100n)).toEqual({before: 0x301fn, after: null});
  expect(around(ranges, 0x2fffn, 2n)).toBe(null);
  expect(around([], 0n, 1n)).toEqual({before: null, after: null});
});
