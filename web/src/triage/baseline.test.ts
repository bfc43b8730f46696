import {expect, test} from 'vitest';
import {
  against,
  baselineJSON,
  changeOf,
  countsOf,
  gone,
  isBaselineName,
  latest,
  rankOf,
  readBaseline,
  sizeOf,
} from './baseline.ts';
import type {Bucket, Crash} from './triage.ts';

const crash = (signature: string, more: Partial<Crash> = {}): Crash => ({
  ordinal: 0,
  name: `/in/${signature}.dmp`,
  thread: '',
  crashed: true,
  signature,
  what: 'Null pointer read',
  detail: '',
  reason: '',
  address: '',
  system: 'Linux amd64',
  module: 'app',
  frames: [],
  wanted: false,
  hang: '',
  own: 'app.c:12',
  guess: false,
  program: 'app',
  version: '1',
  written: null,
  uptime: null,
  ...more,
});
const row = (...crashes: Crash[]): Bucket => ({key: '', title: '', detail: '', crashes});

const group = (signature: string, count: number, kind = 'crash'): object => ({
  kind,
  signature,
  rules: 'crashglass',
  count,
  own: {'app!f': count},
  modules: {'app 0.9': count},
});
const groups = [group('old', 1), group('more', 1), group('lost', 4), group('', 2, 'no_crash')];
const wanted = readBaseline('/tmp/yesterday.json', JSON.stringify({groups}));
if (!wanted) throw new Error('no baseline');
const base = wanted;

const open = [crash('fresh'), crash('old'), crash('more'), crash('more'), crash('', {crashed: false})];
const counts = countsOf(open);

test('what the command line wrote is a baseline: as one document and as lines', () => {
  const lines = groups.map(one => JSON.stringify(one)).join('\n');
  expect(readBaseline('x.jsonl', `${lines}\n`)?.crashes).toEqual(base.crashes);
  expect([base.name, [...base.crashes.keys()]]).toEqual(['yesterday.json', ['old', 'more', 'lost']]);
});

test('a baseline without rules, or with others, is foreign', () => {
  const foreign = (...rules: unknown[]) =>
    readBaseline('x.json', JSON.stringify({groups: rules.map(of => ({...group('old', 1), rules: of}))}))?.foreign;
  expect([foreign('crashglass'), foreign(undefined), foreign('crashglass', 'socorro')]).toEqual([false, true, true]);
  expect(readBaseline('x.json', baselineJSON(open, base))?.foreign).toBe(false);
});

test('groups of one signature, as --map writes them, are added up', () => {
  const text = JSON.stringify({groups: [group('f', 2), group('f', 3)]});
  expect(readBaseline('x.json', text)?.crashes.get('f')?.count).toBe(5);
});

test.each([
  '',
  '{}',
  '[]',
  '7',
  'null',
  '{"groups":[]}',
  '{"groups":[7]}',
  '{"threads":[]}',
  'MDMP',
  '{"kind":',
  '{"kind":"Pod"}',
])('%j is no baseline', text => expect(readBaseline('x.json', text)).toBeNull());

test('values that are no counts count nothing', () => {
  const text = JSON.stringify({groups: [{kind: 'crash', signature: 7, count: 'x', own: 3}]});
  expect(readBaseline('x.json', text)?.crashes.get('')).toEqual({
    signature: '',
    count: 0,
    what: [],
    own: [],
    modules: [],
  });
});

test.each(['1e999', '1e300', '0.5', '-1'])('%s is no count', count => {
  const text = `{"groups":[{"kind":"crash","signature":"f","rules":"crashglass","count":${count}}]}`;
  expect(readBaseline('x.json', text)?.crashes.get('f')?.count).toBe(0);
});

test.each([
  ['fresh', 'new', 0],
  ['old', 'known', 1],
  ['more', 'grown', 1],
])('%s is %s', (signature, since, before) =>
  expect(changeOf(row(crash(signature)), counts, base)).toEqual({since, before}),
);

test('a row of several signatures is as new as its newest', () =>
  expect(changeOf(row(crash('old'), crash('more'), crash('fresh')), counts, base)?.since).toBe('new'));

test('dumps without a crash, and all without a baseline, have no state', () => {
  expect(changeOf(row(crash('', {crashed: false})), counts, base)).toBeNull();
  expect(changeOf(row(crash('old')), counts, null)).toBeNull();
  expect(rankOf(null)).toBeGreaterThan(rankOf({since: 'gone', before: 1}));
});

test('what is gone is listed, and all is counted', () => {
  expect(gone(counts, base).map(({signature, count}) => [signature, count])).toEqual([['lost', 4]]);
  expect(against(open, counts, base)).toBe('1 signature new, 1 grown, 1 known, 1 gone against yesterday.json');
});

test('what was gone already is not gone once more', () => {
  const text = JSON.stringify({groups: [{...group('past', 0), state: 'gone', before: 3}]});
  const later = readBaseline('x.json', text);
  expect(later && gone(counts, later)).toEqual([]);
});

test('what was gone in the baseline and is open is back', () => {
  const later = readBaseline('x.json', JSON.stringify({groups: [{...group('old', 0), state: 'gone', before: 3}]}));
  expect(changeOf(row(crash('old')), counts, later)).toEqual({since: 'back', before: 0});
});

test('of two baselines the newer one counts, and what only the older one has is back', () => {
  const read = (name: string, written: number, ...signatures: string[]) => {
    const text = JSON.stringify({groups: signatures.map(signature => group(signature, 1))});
    const baseline = readBaseline(name, text, written);
    if (!baseline) throw new Error('no baseline');
    return baseline;
  };
  const [older, newer] = [read('monday.json', 1, 'old', 'lost'), read('tuesday.json', 2, 'more')];
  for (const both of [latest(older, newer), latest(newer, older)]) {
    expect([both.name, sizeOf(both), changeOf(row(crash('old')), counts, both)?.since]).toEqual([
      'tuesday.json',
      1,
      'back',
    ]);
    expect(against(open, counts, both)).toBe('1 signature new, 1 back, 1 grown, 0 known, 0 gone against tuesday.json');
  }
});

test.each([
  ['/usr/bin/app 0.9', 'app', 'new'],
  ['C:\\Program Files\\App.exe 1.0', 'app.exe', 'new'],
  ['app', 'app', 'new'],
  ['other 2', 'app', 'none'],
])('against a baseline of %s, a crash of %s is %s', (module, program, since) => {
  const text = JSON.stringify({groups: [{...group('old', 1), modules: {[module]: 1}}]});
  expect(changeOf(row(crash('fresh', {program})), counts, readBaseline('x.json', text))?.since).toBe(since);
});

test('a newer baseline without names may have any program, whatever an older one names', () => {
  const read = (written: number, modules: object) => {
    const text = JSON.stringify({groups: [{...group('old', 1), modules}]});
    return readBaseline('x.json', text, written) ?? base;
  };
  const [older, newer] = [read(1, {'other 2': 1}), read(2, {})];
  const since = (baseline: typeof base) => changeOf(row(crash('fresh')), counts, baseline)?.since;
  expect([since(older), since(newer), since(latest(older, newer))]).toEqual(['none', 'new', 'new']);
});

test('a crash with more programs than a baseline lists may be of any program', () => {
  const programs = (count: number) => Object.fromEntries(Array.from({length: count}, (_, i) => [`tool${i} 1`, 1]));
  const since = (count: number) => {
    const text = JSON.stringify({groups: [{...group('old', 1), modules: programs(count)}]});
    return changeOf(row(crash('fresh', {program: 'zoo'})), counts, readBaseline('x.json', text))?.since;
  };
  expect([since(15), since(16)]).toEqual(['none', 'new']);
});

test('what is saved as a baseline knows what the last one had', () => {
  const saved = readBaseline('now.json', baselineJSON(open, base));
  const lost = row(crash('lost'));
  expect(saved && [sizeOf(saved), changeOf(lost, countsOf(lost.crashes), saved)?.since]).toEqual([3, 'back']);
});

test('what is open is a baseline for the next time', () => {
  const saved = readBaseline('now.json', baselineJSON(open));
  expect([...(saved?.crashes ?? [])].map(([signature, old]) => [signature, old.count, old.own])).toEqual([
    ['fresh', 1, ['app.c:12']],
    ['old', 1, ['app.c:12']],
    ['more', 2, ['app.c:12']],
  ]);
});

test.each([
  ['a/b.json', true],
  ['x.JSONL', true],
  ['crash.dmp', false],
])('%s may be one: %s', (path, is) => expect(isBaselineName(path)).toBe(is));
