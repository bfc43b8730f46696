import {expect, test} from 'vitest';
import {frame, inline, report, thread} from '../../test/make.ts';
import type {Report} from '../report.ts';
import {buckets, type Crash, crashOf, distinct, signature} from './triage.ts';

test('a signature has the first own frames, inlined calls too, without arguments', () => {
  const t = thread([
    frame(0, {function: 'memcpy', is_system: true}),
    frame(1, {function: 'work::copy(char*, int)', inlines: [inline('work::step(int)')]}),
    frame(2, {function: 'qsort', is_system: true}),
    frame(3, {function: null, module: 'app', module_offset: '0x0000000000000120'}),
    frame(4, 'main'),
  ]);
  expect(signature(t, null)).toEqual(['work::step', 'work::copy', 'app + 0x120']);
});

test('where all frames are the system’s they are the signature, and an address where there is no module', () => {
  expect(signature(thread([frame(0, {function: 'abort', is_system: true})]), null)).toEqual(['abort']);
  const lost = frame(0, {module: null, module_offset: null, offset: '0x0000000000001234'});
  expect(signature(thread([lost]), null)).toEqual(['0x1234']);
  expect(signature(thread([]), null)).toEqual([]);
});

const crashed = (what: string): Report => {
  const r = report({threads: [thread([frame(0, 'f')], {crashed: true})]});
  return {
    ...r,
    verdict: {...r.verdict, what, crashed: true},
    crash_info: {...r.crash_info, address: '0x0000000000000010'},
  };
};

test('a crash says what happened and where; without a crash there is no signature', () => {
  expect(crashOf(2, 'a.dmp', crashed('Read'), 0)).toEqual({
    ordinal: 2,
    name: 'a.dmp',
    what: 'Read',
    address: '0x10',
    system: '',
    signature: ['f'],
  });
  expect(crashOf(0, 'b.dmp', report(), null)).toMatchObject({signature: [], address: ''});
});

const crash = (ordinal: number, parts: string[], more: Partial<Crash> = {}): Crash => ({
  ordinal,
  name: `${ordinal}.dmp`,
  what: 'Read',
  address: '0x0',
  system: 'Linux',
  signature: parts,
  ...more,
});

const all = [
  crash(0, []),
  crash(1, ['b'], {address: '0x10', what: 'Write'}),
  crash(2, ['a', 'main'], {address: '0x9'}),
  crash(3, ['b'], {address: '0x8'}),
];

const order = (column: Parameters<typeof buckets>[1]['column'], down: boolean): number[][] =>
  buckets(all, {column, down}).map(bucket => bucket.crashes.map(c => c.ordinal));

test('buckets are sorted by any column, and what did not crash comes last', () => {
  expect(order('count', true)).toEqual([[1, 3], [2], [0]]);
  expect(order('count', false)).toEqual([[2], [1, 3], [0]]);
  expect(order('signature', false)).toEqual([[2], [1, 3], [0]]);
  expect(order('what', true)).toEqual([[1, 3], [2], [0]]);
  expect(order('address', false)).toEqual([[2], [1, 3], [0]]);
  expect(order('system', true)).toEqual([[1, 3], [2], [0]]);
});

test('a bucket says each value once', () => {
  expect(buckets(all, {column: 'count', down: true}).map(b => [distinct(b, 'what'), distinct(b, 'system')])).toEqual([
    ['Write, Read', 'Linux'],
    ['Read', 'Linux'],
    ['Read', 'Linux'],
  ]);
});
