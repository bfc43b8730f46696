import {describe, expect, test} from 'vitest';
import {frame, module, report, symbols, thread} from '../../test/make.ts';
import type {Module} from '../report.ts';
import {extent, pointersOf, wordRows} from './words.ts';

const sp = (address: `0x${string}`): {rsp: `0x${string}`} => ({rsp: address});

const t = thread([
  frame(0, {function: 'f', registers: sp('0x7000')}),
  frame(1, {function: 'g', registers: sp('0x7020'), return_address: '0x1234'}),
  frame(2, {function: 'h', registers: null, return_address: '0x5678'}),
]);
const r = report({threads: [t]});
const at = (i: number): NonNullable<ReturnType<typeof extent>> => {
  const found = extent(r, t, t.frames?.[i] ?? frame(i));
  if (!found) throw new Error(`frame ${i} has no extent`);
  return found;
};

describe('extent', () => {
  test('goes to the caller and a little beyond', () =>
    expect(at(0)).toEqual({from: 0x7000n, size: 8 * (4 + 4), end: 0x7020n}));
  test('of a frame whose caller is unknown is a few words', () =>
    expect(at(1)).toEqual({from: 0x7020n, size: 8 * 44, end: null}));
  test('needs a stack pointer', () => expect(extent(r, t, t.frames?.[2] ?? frame(2))).toBeNull());
  test('needs to know how wide a pointer is', () => {
    const unknown = {...r, system_info: {...r.system_info, pointer_width: 0}};
    expect(extent(unknown, t, t.frames?.[0] ?? frame(0))).toBeNull();
  });
  test('is bounded whatever the stack pointers say', () => {
    const far = thread([frame(0, {registers: sp('0x0')}), frame(1, {registers: sp('0xffffffffffffffff')})]);
    expect(extent(r, far, far.frames?.[0] ?? frame(0))?.size).toBe(8 * 160);
    const back = thread([frame(0, {registers: sp('0x7000')}), frame(1, {registers: sp('0x6000')})]);
    expect(extent(r, back, back.frames?.[0] ?? frame(0))?.end).toBeNull();
  });
});

const symbolsOf = (base: `0x${string}`, state: string): Module =>
  module('app', {base_addr: base, end_addr: `${base.slice(0, 3)}fffff` as `0x${string}`, symbols: symbols(state)});

describe('wordRows', () => {
  const bytes = (values: bigint[]): Uint8Array => {
    const view = new DataView(new ArrayBuffer(8 * values.length));
    for (const [i, v] of values.entries()) view.setBigUint64(8 * i, v, true);
    return new Uint8Array(view.buffer);
  };
  const show = (values: bigint[]): string[] =>
    wordRows(r, t, t.frames?.[0] ?? frame(0), at(0), bytes(values)).map(row =>
      row.kind === 'run'
        ? `+${row.offset} ${row.text}`
        : `+${row.offset} ${row.value} ${row.returns?.function ?? row.words}`,
    );

  test('names the frame that a word returns to', () =>
    expect(show([7n, 0x1234n, 0x5678n])).toEqual(['+0 7 7', '+8 4660 g', '+16 22136 h']));
  test('names a function as dps does, with its line where symbols know it', () => {
    const pointer = {
      address: '0x400408',
      function: 'f',
      name_certainty: 'inside',
      offset: '0x6',
      file: '/src/f.c',
      line: 7,
    } as const;
    const start = {
      address: '0x400500',
      function: 'g',
      name_certainty: 'nearest',
      offset: '0x0',
      file: null,
      line: null,
    } as const;
    const rows = wordRows(r, t, t.frames?.[0] ?? frame(0), at(0), bytes([0x400408n, 0x400500n, 7n]), [pointer, start]);
    expect(rows.map(row => (row.kind === 'word' ? row.symbol : null))).toEqual([
      {mark: '', name: 'f', offset: '+ 0x6', at: 'f.c:7'},
      {mark: '~ ', name: 'g', offset: '', at: ''},
      null,
    ]);
  });
  test('asks for words that point into modules whose symbols are used, each once', () => {
    const of = report({threads: [t], modules: [symbolsOf('0x400000', 'matched'), symbolsOf('0x500000', 'missing')]});
    expect(pointersOf(of, bytes([0x400408n, 7n, 0x500408n, 0x400408n]))).toEqual(['0x400408']);
  });
  test('puts equal words together', () =>
    expect(show([0n, 0n, 0n, 1n, 1n])).toEqual(['+0 3 words of 0', '+24 1 1', '+32 1 1']));
  test('never hides a return address in a run', () => expect(show([0x1234n, 0x1234n, 0x1234n])).toHaveLength(3));
  test('reads what there is', () => expect(show([])).toEqual([]));
});
