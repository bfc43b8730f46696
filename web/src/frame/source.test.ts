import {describe, expect, test} from 'vitest';
import {
  around,
  decoded,
  isSource,
  matching,
  mostSources,
  noSources,
  type SourceFile,
  sourceRow,
  sourceText,
  tokens,
  withSources,
} from './source.ts';

const file = (path: string): SourceFile => ({path, load: () => Promise.resolve(new Blob())});
const sourcesOf = (...paths: string[]) => withSources(noSources, paths.map(file));

test.each([
  ['a.cpp', true],
  ['src/A.HPP', true],
  ['lib.rs', true],
  ['start.S', true],
  ['app.sym', false],
  ['crash.dmp', false],
  ['.c', false],
  ['cpp', false],
  ['folder.c/core', false],
  ['app.pdb', false],
])('%s is source: %s', (path, is) => expect(isSource(path)).toBe(is));

describe('the file that a frame means', () => {
  const best = (frame: string, ...paths: string[]): string[] => matching(sourcesOf(...paths), frame).map(f => f.path);

  test.each([
    ['by name alone', '/build/src/a.cpp', ['a.cpp'], ['a.cpp']],
    ['by most folders', '/build/src/a.cpp', ['a.cpp', 'old/a.cpp', 'me/src/a.cpp'], ['me/src/a.cpp']],
    ['on Windows', 'C:\\build\\Src\\A.cpp', ['x/a.cpp', 'me/src/a.cpp'], ['me/src/a.cpp']],
    ['in the case that it has', '/src/A.c', ['me/src/a.c', 'me/src/A.c'], ['me/src/A.c']],
    [
      'out of a repository',
      'git:example.org/desk:src/find.rs:0123',
      ['desk/src/find.rs', 'find.rs'],
      ['desk/src/find.rs'],
    ],
    [
      'made by a build, without the digest of its content',
      `s3:gecko-generated-sources:${'a5d37477'.repeat(16)}/ipc/PContent.cpp:`,
      ['ipc/PContent.cpp', 'PContent.cpp'],
      ['ipc/PContent.cpp'],
    ],
    ['in a path with colons', 'a:b:c.cpp:d.cpp', ['a:b:c.cpp:d.cpp', 'c.cpp'], ['a:b:c.cpp:d.cpp']],
    ['not a part of a name', '/src/ma.cpp', ['a.cpp'], []],
    ['none', '/src/b.cpp', ['a.cpp'], []],
    ['several alike', '/src/mod.rs', ['x/mod.rs', 'y/mod.rs'], ['x/mod.rs', 'y/mod.rs']],
    ['with dots in its path', '/build/./src//a.cpp', ['src/a.cpp', 'x/a.cpp'], ['src/a.cpp']],
    ['without a name', '', ['a.cpp'], []],
    ['a name that objects have', '/src/constructor', ['a.cpp'], []],
  ])('%s', (_, frame, paths, found) => expect(best(frame, ...paths)).toEqual(found));

  test('is the later one of two with one path', () => {
    const later = file('src/a.cpp');
    const sources = withSources(sourcesOf('src/a.cpp', 'b.cpp'), [later]);
    expect(sources.count).toBe(2);
    expect(matching(sources, 'a.cpp')[0]).toBe(later);
  });
});

test('a hundred thousand files are known by name, and no more than fit', () => {
  const many = Array.from({length: mostSources + 5}, (_, i) => file(`folder${i % 100}/file${i}.c`));
  const sources = withSources(noSources, many);
  expect(sources.count).toBe(mostSources);
  expect(matching(sources, '/x/folder7/file100007.c').map(f => f.path)).toEqual(['folder7/file100007.c']);
}, 20_000);

test('thousands of files may have one name', () => {
  const sources = sourcesOf(...Array.from({length: 30_000}, (_, i) => `crate${i}/src/mod.rs`));
  expect(matching(sources, '/build/crate29999/src/mod.rs').map(f => f.path)).toEqual(['crate29999/src/mod.rs']);
});

describe('text is decoded', () => {
  const utf16 = (text: string, little: boolean): number[] =>
    [...text].flatMap(c => {
      const code = c.charCodeAt(0);
      return little ? [code & 0xff, code >> 8] : [code >> 8, code & 0xff];
    });
  test.each([
    ['UTF-8', [0x61, 0xc3, 0xa9], 'aé'],
    ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0x61], 'a'],
    ['Latin-1', [0x61, 0xe9, 0x62], 'aéb'],
    ['UTF-16', [0xff, 0xfe, ...utf16('aé', true)], 'aé'],
    ['UTF-16 the other way round', [0xfe, 0xff, ...utf16('aé', false)], 'aé'],
    ['UTF-16 without a mark', utf16('int a;', true), 'int a;'],
    ['UTF-16 the other way round without a mark', utf16('int a;', false), 'int a;'],
    ['nothing', [], ''],
    ['zeros', [0, 0, 0, 0], '\0\0\0\0'],
  ])('%s', (_, bytes, text) => expect(decoded(Uint8Array.from(bytes))).toBe(text));
});

test.each([
  ['\tint a;', '    int a;'],
  ['ab\tc', 'ab  c'],
  ['abcd\te', 'abcd    e'],
  ['a\u202eb\x1b[31m', 'a\\u202eb\\x1b[31m'],
])('the line %j is shown as %j', (line, row) => expect(sourceRow(line)).toBe(row));

test('a line of a megabyte is cut', () => expect(sourceRow('x'.repeat(1 << 20)).length).toBeLessThan(500));

describe('lines around one', () => {
  const text = sourceText('1\n2\r\n3\r4\n5');
  const numbers = (line: number, radius = 1): number[] => around(text, line, radius).map(l => l.number);

  test('are numbered, with the one marked', () =>
    expect(around(text, 3, 1)).toEqual([
      {number: 2, text: '2', current: false},
      {number: 3, text: '3', current: true},
      {number: 4, text: '4', current: false},
    ]));

  test('stop at the ends of the file', () => {
    expect(numbers(1)).toEqual([1, 2]);
    expect(numbers(5)).toEqual([4, 5]);
    expect(numbers(3, 40)).toEqual([1, 2, 3, 4, 5]);
  });

  test('are none where the file does not have the line', () => {
    expect(numbers(0)).toEqual([]);
    expect(numbers(6)).toEqual([]);
  });
});

test.each([
  ['for (int i = 0; i < n; ++i)', 'key:for|key:int|lit:0'],
  ['return "a \\" b" + \'c\' + 0x1f;', 'key:return|lit:"a \\" b"|lit:\'c\'|lit:0x1f'],
  ["fn f<'a>(s: &'a str) // return 1", 'key:fn'],
  ['"unclosed return', 'key:return'],
  ['x'.repeat(600), ''],
])('the keywords, texts and numbers of %s', (line, want) => {
  const all = tokens(line);
  expect(all.map(({text}) => text).join('')).toBe(line);
  expect(all.flatMap(({text, kind}) => (kind === null ? [] : [`${kind}:${text}`])).join('|')).toBe(want);
});
