import {expect, test} from 'vitest';
import type {Field} from '../engine/types.ts';
import {byRecord, fieldAt, fileRows, listed} from './fields.ts';

const field = (offset: number, size: number, name: string, record = ''): Field => ({
  offset,
  size,
  name,
  value: '',
  record,
});

const fields = [
  field(16, 4, 'Count'),
  field(20, 4, 'Id', 'thread 0'),
  field(24, 8, 'Rva', 'thread 0'),
  field(64, 6, 'string', 'thread 0'),
];

test('a byte is in the field that covers it', () => {
  const at = (offset: number): string => fields[fieldAt(fields, offset)]?.name ?? 'none';
  expect([15, 16, 19, 20, 31, 32, 64, 69, 70].map(at)).toEqual([
    'none',
    'Count',
    'Count',
    'Id',
    'Rva',
    'none',
    'string',
    'string',
    'none',
  ]);
});

test('of two fields the shorter one is meant', () => {
  const both = [field(0, 100, 'context'), field(8, 4, 'flags'), field(0, 50, 'first half')];
  expect([0, 9, 60].map(at => both[fieldAt(both, at)]?.name)).toEqual(['first half', 'flags', 'context']);
});

test('fields are listed a hundred at a time, the selected one among them', () => {
  expect(listed(30, -1)).toEqual({from: 0, to: 30});
  expect(listed(250, 99)).toEqual({from: 0, to: 100});
  expect(listed(250, 100)).toEqual({from: 100, to: 200});
  expect(listed(250, 249)).toEqual({from: 200, to: 250});
});

test('fields of one record stand together, in their order', () => {
  const groups = byRecord(fields, 0, 3);
  expect(groups.map(g => [g.record, g.fields.map(f => f.index)])).toEqual([
    ['', [0]],
    ['thread 0', [1, 2]],
  ]);
});

test('rows have bytes where the file has them, and each byte its field', () => {
  const page = Uint8Array.from({length: 28}, (_, i) => i);
  const rows = fileRows(16, 2, 8, fields, at => (at === 0 ? page : null));
  expect(rows[0]?.map(c => c.byte)).toEqual([16, 17, 18, 19, 20, 21, 22, 23]);
  expect(rows[1]?.map(c => c.byte)).toEqual([24, 25, 26, 27, null, null, null, null]);
  expect(rows[0]?.map(c => c.field)).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  expect(rows[0]?.map(c => c.first)).toEqual([true, false, false, false, true, false, false, false]);
});
