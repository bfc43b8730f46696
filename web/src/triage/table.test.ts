import {expect, test} from 'vitest';
import {triageCSV, triageJSON, triageMarkdown} from './table.ts';
import type {Bucket, Crash} from './triage.ts';

const crash = (name: string, more: Partial<Crash> = {}): Crash => ({
  ordinal: 0,
  name,
  thread: '',
  detail: '',
  crashed: true,
  signature: 'f',
  what: 'Read',
  reason: 'SIGSEGV',
  address: '0x10',
  system: 'Linux amd64',
  module: 'app',
  frames: ['f'],
  wanted: false,
  hang: '',
  own: 'app.cc:12',
  guess: false,
  program: 'harbor',
  version: '2.14',
  written: 1_763_700_000,
  uptime: 60,
  ...more,
});

const row = (title: string, crashes: readonly Crash[], detail = ''): Bucket => ({key: title, title, detail, crashes});

const rows = [
  row('f<T>(a, b)', [crash('/tmp/1.dmp'), crash('C:\\2.dmp', {what: 'Write "x"', wanted: true})], 'main'),
  row('', [
    crash('3.dmp', {what: '', address: '', system: '', own: '', program: '', version: '', written: null, uptime: null}),
  ]),
];

test('CSV quotes what has to be quoted', () => {
  expect(triageCSV(rows)).toBe(
    'Crashes,Signature,Frames,What,Address,System,Symbols,Dumps,First own frame,Program,Version,Written\r\n' +
      '2,"f<T>(a, b)",main,"Read, Write ""x""",0x10,Linux amd64,wanted,"1.dmp, 2.dmp",app.cc:12,harbor,2.14,21 Nov 2025\r\n' +
      '1,No crash found,,,,,,3.dmp,,,,\r\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('%j is no formula in a spreadsheet', name => {
  expect(triageCSV([row(name, [])])).toContain(`0,'${name}`);
});

test('a cell of Markdown is text, whatever is in it', () => {
  const table = triageMarkdown([row('a|b `c` <i> @you #1 *x*', [crash('1.dmp')])]);
  expect(table.split('\n')).toHaveLength(4);
  const [, , line = ''] = table.split('\n');
  expect(line.match(/\|/g)).toHaveLength(13);
  expect(line).toContain('a&#124;b &#96;c&#96; &#60;i&#62; &#64;you &#35;1 &#42;x&#42;');
});

test('an empty table has its heads', () => {
  expect(triageMarkdown([]).split('\n')).toHaveLength(3);
  expect(triageCSV([]).split('\r\n')).toHaveLength(2);
});

test('JSON has each dump, and null for what is not known', () => {
  expect(JSON.parse(triageJSON(rows))).toEqual([
    expect.objectContaining({
      signature: 'f<T>(a, b)',
      crashes: 2,
      first_own_frame: 'app.cc:12',
      program: 'harbor',
      versions: ['2.14'],
      symbols_wanted: true,
      dumps: [
        {name: '1.dmp', written: '2025-11-21 04:40:00', uptime: 60},
        {name: '2.dmp', written: '2025-11-21 04:40:00', uptime: 60},
      ],
    }),
    expect.objectContaining({
      signature: null,
      program: null,
      versions: [],
      dumps: [{name: '3.dmp', written: null, uptime: null}],
    }),
  ]);
});

test('with a baseline each form says what is new', () => {
  const since = (row: Bucket) => (row.title === '' ? null : ({since: 'grown', before: 1} as const));
  expect(
    triageCSV(rows, since)
      .split('\r\n')
      .map(text => text.split(',').slice(-2).join(',')),
  ).toEqual(['Since,Before', 'grown,1', ',', '']);
  expect(triageMarkdown(rows, since)).toMatch(/\| Since \| Before \|\n/);
  expect(triageMarkdown(rows, () => ({since: 'none', before: 0}))).toContain('| no baseline | 0 |');
  expect(JSON.parse(triageJSON(rows, since))).toMatchObject([
    {since: 'grown', before: 1},
    {since: null, before: null},
  ]);
});
