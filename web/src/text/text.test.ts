import {describe, expect, test} from 'vitest';
import {baseName, counted, rowLength, sourcePath, thin, visible, visibleLines, visibleRow} from './text.ts';

test.each([
  ['plain text, ümläute, 漢字 and 🦀', 'plain text, ümläute, 漢字 and 🦀'],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['C:\\src\\new.cpp', 'C:\\src\\new.cpp'],
  ['a\nb\tc\rd\0e', 'a\\nb\\tc\\rd\\0e'],
  ['\x1b[31mred', '\\x1b[31mred'],
  ['\x7f\x85', '\\x7f\\x85'],
  ['exe.\u202etxt', 'exe.\\u202etxt'],
  ['\u2066isolated\u2069', '\\u2066isolated\\u2069'],
  ['zero\u200bwidth\u200d\ufeff', 'zero\\u200bwidth\\u200d\\ufeff'],
  ['soft\u00adhyphen', 'soft\\xadhyphen'],
  ['line\u2028paragraph\u2029', 'line\\u2028paragraph\\u2029'],
  ['tag \u{e0041}', 'tag \\u{e0041}'],
  ['selector \ufe0f', 'selector \\ufe0f'],
  ['filler \u3164\u115f', 'filler \\u3164\\u115f'],
  ['blank \u2800', 'blank \\u2800'],
  ['lone \ud800 half', 'lone \\ud800 half'],
])('visible(%j)', (text, want) => expect(visible(text)).toBe(want));

describe('visibleRow', () => {
  test('leaves what fits', () => expect(visibleRow('a'.repeat(rowLength))).toHaveLength(rowLength));
  test('cuts the rest and says so', () => expect(visibleRow('a'.repeat(65_536))).toBe(`${'a'.repeat(rowLength)}…`));
  test('does not cut a character in half', () => {
    const text = `${'a'.repeat(rowLength - 1)}🦀🦀`;
    expect(visibleRow(text)).toBe(`${'a'.repeat(rowLength - 1)}…`);
  });
});

test('visibleLines splits at every kind of line end', () =>
  expect(visibleLines('a\r\nb\nc\rd\u2028e')).toEqual(['a', 'b', 'c', 'd\\u2028e']));

test.each([
  ['/usr/lib/libc.so.6', 'libc.so.6'],
  ['C:\\Windows\\ntdll.dll', 'ntdll.dll'],
  ['plain', 'plain'],
  ['ends/', ''],
])('baseName(%s)', (path, want) => expect(baseName(path)).toBe(want));

test.each([
  [0, '0'],
  [9999, '9999'],
  [10_000, '10\u2009000'],
  [1_234_567, '1\u2009234\u2009567'],
])('thin(%d)', (n, want) => expect(thin(n)).toBe(want));

test('counted agrees in number', () =>
  expect([counted(0, 'file'), counted(1, 'file'), counted(2, 'file')]).toEqual(['0 files', '1 file', '2 files']));

test.each([
  ['/src/net/reader.cc', 'reader.cc'],
  ['C:\\src\\reader.cc', 'reader.cc'],
  ['hg:hg.mozilla.org/releases/mozilla-release:xpcom/threads/nsThread.cpp:5f2a7c1d9b3e', 'nsThread.cpp'],
  [
    'git:github.com/rust-lang/rust:library/std/src/panicking.rs:9fc6b43126469e3858e2fe86cafb4f0fd5068869',
    'panicking.rs',
  ],
  ['git:github.com/mozilla/x:reader.cc:9fc6b431', 'reader.cc'],
  ['svn:svn.example.org/trunk:src/a.c:1234', 'a.c'],
  ['cvs:cvs.mozilla.org/cvsroot:mozilla/browser/app/nsBrowserApp.cpp:1.36', 'nsBrowserApp.cpp'],
  ['hg:hg.example.org:8000/app:src/a.c:5f2a7c1d9b3e', 'a.c'],
  [
    's3:gecko-generated-sources:a5d3747707d6877b0e5cb0a364e3cb9fea8aa4feb6ead138952c2ba46d41045297286385f0e0470146f49403e46bd266e654dfca986de48c230f3a71c2aafed4/ipc/PContent.cpp:',
    'PContent.cpp',
  ],
  ['/odd/git:name:x.c:1', 'git:name:x.c:1'],
])('the source file %s is called %s', (path, name) => expect(baseName(sourcePath(path))).toBe(name));
