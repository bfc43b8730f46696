import {describe, expect, test} from 'vitest';
import {kept, meantBy, read, readPair, write, writePair} from './fragment.ts';

const hash = '9f86d081884c7d659a2feaa0c55ad015';
const other = '2c26b46b68ffc68ff99b453c1d304134';

test.each([
  [{dump: 0, thread: 3, frame: 0, inline: null, tab: 'auto'}, null, '#d=1&t=3&f=0'],
  [{dump: 0, thread: 3, frame: 0, inline: null, tab: 'why'}, null, '#d=1&t=3&f=0&v=why'],
  [{dump: 1, thread: 0, frame: 12, inline: 0, tab: 'why'}, hash, '#d=2&h=9f86d081&t=0&f=12&i=0&v=why'],
] as const)('write and read back %j', (place, of, fragment) => {
  expect(write(place, of)).toBe(fragment);
  expect(read(fragment)).toEqual({
    dump: place.dump,
    hash: of === null ? null : '9f86d081',
    name: null,
    place,
    stacks: false,
  });
  expect(read(write(place, of, true))).toMatchObject({place, stacks: true});
});

test.each([
  '',
  '#',
  '#crash',
  '#d=0&t=0&f=0',
  '#d=1&t=-1&f=0',
  '#d=1&t=0',
  '#d=1e9&t=0&f=0',
  '#d=1&t=0x1&f=0',
  '#d=9999999999&t=0&f=0',
])('read(%s) is nowhere', fragment => expect(read(fragment)).toBeNull());

test('a view that does not exist is the first', () => expect(read('#d=1&t=0&f=0&v=<b>')?.place.tab).toBe('auto'));

test('the name of the dump is kept beside the fragment, and read from nothing else', () => {
  const name = (what: unknown): string | null | undefined => read('#d=1&t=0&f=0', what)?.name;
  expect([kept('a.dmp'), null, 'a.dmp', {name: 7}, {}].map(name)).toEqual(['a.dmp', null, null, null, null]);
  expect(kept(null)).toBeNull();
});

test.each(['<b>', 'ABCDEF01', '9f86', '9f86d081z', `${hash}0`])('%s is no hash', text =>
  expect(read(`#d=1&h=${encodeURIComponent(text)}&t=0&f=0`)?.hash).toBeNull(),
);

test('what is no hash does not get into a URL', () =>
  expect(write({dump: 0, thread: 0, frame: 0, inline: null, tab: 'auto'}, '<script>')).toBe('#d=1&t=0&f=0'));

test('a pair is written and read back', () => {
  const fragment = '#a=1&ah=9f86d081&b=3';
  expect(writePair({dump: 0, hash}, {dump: 2, hash: null})).toBe(fragment);
  expect(readPair(fragment)).toEqual([
    {dump: 0, hash: '9f86d081'},
    {dump: 2, hash: null},
  ]);
  expect(readPair('#a=1')).toBeNull();
  expect(readPair('#a=0&b=1')).toBeNull();
});

describe('the dump that a link means', () => {
  test.each([
    ['where it was', {dump: 0, hash: '9f86d081'}, [hash, other], 0],
    ['elsewhere among the open ones', {dump: 0, hash: '2c26b46b'}, [hash, other], 1],
    ['not open', {dump: 0, hash: 'ffffffff'}, [hash, other], null],
    ['nothing is open', {dump: 0, hash: '9f86d081'}, [], null],
    ['by its place alone', {dump: 1, hash: null}, [hash, other], 1],
    ['at no place', {dump: 2, hash: null}, [hash, other], null],
    ['a dump without a hash', {dump: 0, hash: '9f86d081'}, [null], 0],
  ] as const)('%s', (_, link, hashes, at) => expect(meantBy(link, hashes)).toBe(at));
});
