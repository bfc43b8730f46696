import {expect, test} from 'vitest';
import {aboutOf} from '../engine/inside.ts';
import {claims, kindsOf, lines, removed, safeName, sameFrames, sharedName, sizes} from './share.ts';

test('names of files', () => {
  expect(safeName('dumps/a b<c>.dmp')).toBe('a_b_c_.dmp');
  expect(safeName('')).toBe('report');
  expect(sharedName('crashes/one.dmp', false)).toBe('one.shared.dmp');
  expect(sharedName('two.MDMP', false)).toBe('two.shared.dmp');
  expect(sharedName('log.txt', false)).toBe('log.txt.shared.dmp');
  expect(sharedName('logs/app (1 of 2).ips', true)).toBe('app_1_of_2_.shared.ips');
  expect(sharedName('tombstone_00', true)).toBe('tombstone_00.shared');
});

test('the checklist in words', () => {
  const items = [
    {what: 'the environment', count: 1, unit: 'variables', in_report: true},
    {what: 'memory of the process', count: 143_872, unit: 'bytes', in_report: false},
  ];
  expect(lines({text: false, people: [], secrets: [], items})).toEqual([
    {what: 'The environment', words: '1 variable', inReport: true},
    {what: 'Memory of the process', words: '141 KiB', inReport: false},
  ]);
});

test('secrets of a kind stand together, apart from those that stay', () => {
  const secret = (kind: string, where: string, stays: boolean) => ({kind, where, stays});
  const all = [
    secret('a key', 'one', false),
    secret('a token', 'two', false),
    secret('a key', 'three', false),
    secret('a key', 'four', true),
  ];
  expect(kindsOf(all)).toEqual([
    {kind: 'A key', places: ['one', 'three'], stays: false},
    {kind: 'A token', places: ['two'], stays: false},
    {kind: 'A key', places: ['four'], stays: true},
  ]);
});

test('what became of a dump', () => {
  const result = {before: 285_593, after: 10_988, removed: [], secrets: [], people: [], changed: []};
  expect(sizes(result)).toBe('279 KiB became 11 KiB.');
  expect(sameFrames(result)).toMatch(/^Every frame is unchanged/);
  expect(sameFrames({...result, changed: ['thread 3']})).toBe('It reads differently in 1 place:');
  expect(removed({what: 'the environment', count: 1, bytes: 1312})).toBe('The environment, 1.3 KiB');
  expect(removed({what: 'stack words', count: 4000, bytes: 32_000})).toBe('Stack words: 4000, 31 KiB');
});

const said = (json: string): string => claims(aboutOf(json, []));

test.each([
  [
    '{"made":"2025-11-24T16:00:00Z","by":"Crashglass 1","cleaned":true}',
    'personal data was removed from the dump, and that it was made 2025-11-24 16:00:00 UTC',
  ],
  [
    '{"made":"2025-11-24T16:00:00Z","cleaned":false}',
    'nothing was removed from the dump, and that it was made 2025-11-24 16:00:00 UTC',
  ],
  ['{"by":"a program"}', 'it was made'],
  ['{"cleaned":true}', 'personal data was removed from the dump'],
])('the file is quoted: %s', (json, words) => {
  expect(said(json)).toBe(`The file says that ${words}`);
});

test.each([['{}'], ['null'], ['[]'], ['not JSON'], ['{"made":"never","by":1,"cleaned":"yes"}'], ['{"cleaned":null}']])(
  'a file that says nothing is not quoted, also not as a dump that is as it was: %s',
  json => {
    expect(said(json)).toBe('');
  },
);
