import {expect, test} from 'vitest';
import {read, write} from './fragment.ts';

test.each([
  [{dump: 0, thread: 3, frame: 0, inline: null, tab: 'all'}, '#d=1&t=3&f=0'],
  [{dump: 1, thread: 0, frame: 12, inline: 0, tab: 'why'}, '#d=2&t=0&f=12&i=0&v=why'],
] as const)('write and read back %j', (place, fragment) => {
  expect(write(place)).toBe(fragment);
  expect(read(fragment)).toEqual(place);
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

test('a view that does not exist is the first', () => expect(read('#d=1&t=0&f=0&v=<b>')?.tab).toBe('all'));
