import {expect, test} from 'vitest';
import {embedders} from '../privacy/host.ts';
import {filesOf} from './embed.ts';

test('files are a list of paths with bytes', async () => {
  const bytes = Uint8Array.of(0, 1, 2, 3).subarray(1, 3);
  const files = filesOf([
    {path: 'a.dmp', bytes},
    {path: 'b/c.sym', bytes: new Blob(['x'])},
    {path: '', bytes: new ArrayBuffer(2)},
  ]);
  expect(files?.map(({path, file}) => [path, file.size])).toEqual([
    ['a.dmp', 2],
    ['b/c.sym', 1],
    ['', 2],
  ]);
  expect(await files?.[0]?.file.bytes?.()).toEqual(Uint8Array.of(1, 2));
});

test.each([
  null,
  'a.dmp',
  {path: 'a.dmp', bytes: new Uint8Array(1)},
  [null],
  [{path: 'a.dmp'}],
  [{path: 1, bytes: new Uint8Array(1)}],
  [{path: 'a.dmp', bytes: 'text'}],
  [{path: 'a.dmp', bytes: [1, 2]}],
  [{path: 'a.dmp', bytes: new Uint8Array(1)}, {}],
])('%j is no list of files', data => {
  expect(filesOf(data)).toBeNull();
});

test('a host names origins, and nothing else counts', () => {
  const embed = ['https://tracker.test', 'http://127.0.0.1:8080'];
  expect(embedders({symbols: null, embed})).toEqual(embed);
  const wrong = [
    '*',
    'null',
    '',
    'tracker.test',
    'https://tracker.test/',
    'https://TRACKER.test',
    'data:,',
    'file:///',
    1,
    null,
  ];
  expect(embedders({embed: wrong})).toEqual([]);
  for (const said of [null, [], 'https://tracker.test', {}, {embed: 'https://tracker.test'}, {embed: {}}])
    expect(embedders(said)).toEqual([]);
});
