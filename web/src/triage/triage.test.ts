import {describe, expect, test} from 'vitest';
import {deadlocked, frame, inline, report, thread} from '../../test/make.ts';
import type {Report, Thread} from '../report.ts';
import {
  type Bucket,
  buckets,
  type Crash,
  crashOf,
  distinct,
  type Grouping,
  headline,
  type Order,
  ownText,
  readable,
  shows,
  wanting,
  writtenText,
} from './triage.ts';

const crashed = (of: Thread, more: Partial<Report> = {}): Report => {
  const r = report({threads: [of], signature: 'f', ...more});
  return {
    ...r,
    verdict: {...r.verdict, what: 'Read', crashed: true},
    crash_info: {...r.crash_info, type: 'SIGSEGV', address: '0x0000000000000010'},
  };
};
const framesOf = (t: Thread): readonly string[] => crashOf(0, '', crashed(t), 0).frames;

test('the headline counts crashes, dumps without one, groups, and files that were not read', () => {
  const crashes = [crashOf(0, 'a', crashed(thread([frame(0, 'f')])), 0), crashOf(1, 'b', report({}), null)];
  expect(headline(crashes, 2, 0)).toBe('1 crash and 1 dump without a crash in 2 groups');
  expect(headline(crashes.slice(0, 1), 1, 12_000)).toBe('1 crash in 1 group; 12\u2009000 files were not read');
  const hung = crashOf(2, 'c', deadlocked(), 0);
  expect(headline([...crashes, hung], 3, 0)).toBe('1 crash, 1 hang and 1 dump without a crash in 3 groups');
});

test('the frames are the first own ones, inlined calls too, without arguments', () => {
  const t = thread([
    frame(0, {function: 'memcpy', is_system: true}),
    frame(1, {function: 'work::copy(char*, int)', inlines: [inline('work::step(int)')]}),
    frame(2, {function: 'qsort', is_system: true}),
    frame(3, {function: null, module: 'app', module_offset: '0x0000000000000120'}),
    frame(4, 'main'),
  ]);
  expect(framesOf(t)).toEqual(['work::step', 'work::copy', 'app + 0x120']);
});

test('where all frames are the system’s they are those, and an address where there is no module', () => {
  expect(framesOf(thread([frame(0, {function: 'abort', is_system: true})]))).toEqual(['abort']);
  const lost = frame(0, {module: null, module_offset: null, offset: '0x0000000000001234'});
  expect(framesOf(thread([lost]))).toEqual(['0x1234']);
  expect(framesOf(thread([]))).toEqual([]);
});

test('a call that an interpreter runs and registered code are frames without a module', () => {
  const nowhere = {module: null, module_offset: null, module_index: null};
  const call = {...inline('answer', '/srv/err.js', 3), kind: 'javascript'};
  const t = thread([
    frame(0, {...nowhere, function: 'query', file: '/srv/query.c'}),
    frame(1, {...nowhere, inlines: [call]}),
    frame(2, 'main'),
  ]);
  expect(framesOf(t)).toEqual(['query', 'answer', 'main']);
});

test('a crash says what happened and where; without a crash there is no signature', () => {
  expect(crashOf(2, 'a.dmp', crashed(thread([frame(0, 'f')])), 0)).toEqual({
    ordinal: 2,
    name: 'a.dmp',
    thread: '',
    crashed: true,
    what: 'Read',
    detail: '',
    reason: 'SIGSEGV',
    address: '0x10',
    system: '',
    module: 'app',
    signature: 'f',
    frames: ['f'],
    wanted: false,
    hang: '',
    own: 'f',
    guess: false,
    program: '',
    version: '',
    written: null,
    uptime: null,
  });
  expect(crashOf(0, 'b.dmp', report(), null)).toMatchObject({crashed: false, signature: '', frames: [], address: ''});
});

test('a guess is marked once: in the table, and not in the name that a baseline keeps', () => {
  const guess = frame(0, {guess: true, module: 'app', module_offset: '0x10', file: null, function: null});
  const guessed = crashOf(0, 'a.dmp', crashed(thread([guess])), 0);
  expect([guessed.own, guessed.guess]).toEqual(['app + 0x10', true]);
  const certain = {...guessed, own: 'app.cc:1', guess: false};
  expect(ownText({key: '', title: '', detail: '', crashes: [guessed, certain, guessed]})).toBe(
    '~ app + 0x10, app.cc:1',
  );
});

const crash = (ordinal: number, signature: string, more: Partial<Crash> = {}): Crash => ({
  ordinal,
  name: `${ordinal}.dmp`,
  thread: '',
  crashed: true,
  what: 'Read',
  detail: '',
  reason: 'SIGSEGV',
  address: '0x0',
  system: 'Linux',
  module: 'App.exe',
  signature,
  frames: [signature, 'main'],
  wanted: false,
  hang: '',
  own: 'app.cc:1',
  guess: false,
  program: 'app',
  version: '1',
  written: null,
  uptime: null,
  ...more,
});

const all = [
  crash(0, '', {crashed: false}),
  crash(1, 'b', {address: '0x10', what: 'Write', wanted: true}),
  crash(2, 'a', {address: '0x9', module: 'app.exe'}),
  crash(3, 'b', {address: '0x8', frames: ['b', 'other']}),
];

const inOrder = (order: Order, list: readonly Crash[] = all): number[][] =>
  buckets(list, 'signature', order).map(bucket => bucket.crashes.map(c => c.ordinal));

test('groups have an order, and what did not crash comes last', () => {
  expect(inOrder('count')).toEqual([[1, 3], [2], [0]]);
  expect(inOrder('new')).toEqual([[1, 3], [2], [0]]);
  expect(inOrder('signature')).toEqual([[2], [1, 3], [0]]);
  const later = all.map(c => (c.ordinal === 2 ? {...c, written: 9} : c));
  expect(inOrder('last', later)).toEqual([[2], [1, 3], [0]]);
  expect(buckets(all, 'signature', 'new', row => (row.title === 'a' ? 0 : 1))[0]?.title).toBe('a');
});

describe('grouped', () => {
  const by = (grouping: Grouping): unknown[] =>
    buckets(all, grouping, 'count').map(b => [b.title, b.detail, b.crashes.map(c => c.ordinal)]);

  test('by signature, with the frames that it does not have', () =>
    expect(by('signature')).toEqual([
      ['b', 'main', [1, 3]],
      ['a', 'main', [2]],
      ['', '', [0]],
    ]));

  test('by reason and module, however that is spelled', () =>
    expect(by('reason')).toEqual([
      ['SIGSEGV', 'in App.exe', [1, 2, 3]],
      ['', '', [0]],
    ]));
});

test('a bucket says each value once, and how many want symbols', () => {
  const found = buckets(all, 'signature', 'count');
  expect(found.map(b => [distinct(b, 'what'), distinct(b, 'system'), wanting(b)])).toEqual([
    ['Write, Read', 'Linux', 1],
    ['Read', 'Linux', 0],
    ['Read', 'Linux', 0],
  ]);
});

test.each([
  ['', true],
  [' 1.DMP ', true],
  ['sigsegv', true],
  ['app.exe', true],
  ['0x10', true],
  ['write', true],
  ['nothing', false],
])('the filter %j finds: %j', (text, found) => expect(shows(all[1] ?? crash(1, ''), text)).toBe(found));

test.each<Partial<Crash>>([{program: 'other'}, {system: 'Linux arm64'}])('%j is never merged with another', more => {
  const two = [crash(0, 'a'), crash(1, 'a', {...more, module: 'app.exe'})];
  for (const grouping of ['signature', 'reason'] as const) expect(buckets(two, grouping, 'count')).toHaveLength(2);
});

test('a hang is named by what its threads are in, and hangs of one kind are one row', () => {
  const hung = crashOf(0, 'a.core', deadlocked(), 0);
  expect(hung).toMatchObject({crashed: false, hang: 'futex_wait ⇄ futex_wait'});
  const rows = buckets([hung, {...hung, ordinal: 1}], 'signature', 'count');
  expect(rows.map(row => [row.title, row.crashes.length])).toEqual([['futex_wait ⇄ futex_wait', 2]]);
});

const at = (...written: (number | null)[]): Bucket => ({
  key: '',
  title: '',
  detail: '',
  crashes: written.map((w, i) => crash(i, 'a', {written: w})),
});

test.each([
  [[null], ''],
  [[1_763_700_000, null], '21 Nov 2025'],
  [[1_763_700_000, 1_763_500_000], '18 to 21 Nov 2025'],
  [[1_763_700_000, 1_765_000_000], '21 Nov to 6 Dec 2025'],
  [[1_763_700_000, 1_800_000_000], '21 Nov 2025 to 15 Jan 2027'],
])('written at %j is %j', (times, text) => expect(writtenText(at(...times))).toBe(text));

test('a signature reads as a place in a module', () => {
  expect(readable('OOM | app@0x10 | std::find<T>')).toBe('OOM | app + 0x10 | std::find<T>');
});
