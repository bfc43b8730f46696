import {expect, test} from 'vitest';
import {HEAD, isAll, LEAST, placeOf, strongTag, versionOf, wrongPart} from './ranged.ts';

const size = LEAST + 5;
const version = {size, tag: '"one"'};
const answer = (status: number, headers: Record<string, string>): Response => new Response(null, {status, headers});
const first = {'content-range': `bytes 0-${HEAD - 1}/${size}`, etag: '"one"'};

test('a large file with a strong tag may be asked for parts', () => {
  expect(versionOf(answer(206, first))).toEqual(version);
});

test.each([
  ['all of it', answer(200, first)],
  ['another part', answer(206, {...first, 'content-range': `bytes 1-${HEAD}/${size}`})],
  ['less', answer(206, {...first, 'content-range': `bytes 0-99/${size}`})],
  ['a small file', answer(206, {...first, 'content-range': `bytes 0-${HEAD - 1}/${LEAST - 1}`})],
  ['a size that is not known', answer(206, {...first, 'content-range': `bytes 0-${HEAD - 1}/*`})],
  ['no place', answer(206, {etag: '"one"'})],
  ['no tag', answer(206, {'content-range': first['content-range']})],
  ['a weak tag', answer(206, {...first, etag: 'W/"one"'})],
  ['compressed bytes', answer(206, {...first, 'content-encoding': 'gzip'})],
])('%s: then all of the file is asked for', (_, response) => {
  expect(versionOf(response)).toBeNull();
});

const good = {'content-range': `bytes 1024-2047/${size}`, etag: '"one"'};

test.each([
  ['the part', answer(206, good), null],
  ['all of it', answer(200, good), 'the host sent all of the file for a part of it'],
  ['an error', answer(503, good), 'the host answered 503 for a part of the file'],
  [
    'another part',
    answer(206, {...good, 'content-range': `bytes 0-1023/${size}`}),
    'the host sent another part of the file',
  ],
  [
    'more than the part',
    answer(206, {...good, 'content-range': `bytes 1024-4095/${size}`}),
    'the host sent another part of the file',
  ],
  [
    'a file that grew',
    answer(206, {...good, 'content-range': `bytes 1024-2047/${size + 1}`}),
    `the file at the host has ${size + 1} bytes now`,
  ],
  ['another version', answer(206, {...good, etag: '"two"'}), 'the file at the host has changed'],
  ['no version', answer(206, {'content-range': good['content-range']}), 'the file at the host has changed'],
  ['no place', answer(206, {etag: '"one"'}), 'the host does not say which part of the file it sent'],
  ['compressed bytes', answer(206, {...good, 'content-encoding': 'br'}), 'the host compressed a part of the file'],
])('%s', (_, response, why) => {
  const said = wrongPart(response, [1024, 2048], version);
  if (why === null) expect(said).toBeNull();
  else expect(said).toContain(why);
});

test('a small file comes with the first part', () => {
  expect(isAll(answer(206, {'content-range': 'bytes 0-99/100'}))).toBe(true);
  expect(isAll(answer(206, {'content-range': 'bytes 0-98/100'}))).toBe(false);
  expect(isAll(answer(206, {'content-range': 'bytes 0-99/100', 'content-encoding': 'gzip'}))).toBe(false);
  expect(isAll(answer(200, {'content-range': 'bytes 0-99/100'}))).toBe(false);
});

test('headers that lie about their form are none', () => {
  for (const header of [null, '', 'bytes 0-1', 'bytes a-b/c', 'bytes 0-1/2, bytes 3-4/5', 'bytes=0-1/2'])
    expect(placeOf(header)).toBeNull();
  for (const header of [null, '', 'abc', 'W/"a"', '"a"b"', '"a\u0001"']) expect(strongTag(header)).toBeNull();
});
