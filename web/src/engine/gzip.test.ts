import {gzipSync} from 'node:zlib';
import {expect, test, vi} from 'vitest';
import {gunzip, MOST_OF_DUMP, memberName} from './gzip.ts';

const text = 'MODULE Linux x86_64 000000000000000000000000000000000 a\n'.repeat(1000);
const packed = gzipSync(text);

test.each([
  ['symbols', text],
  ['a minidump', 'MDMP and more'],
])('unpacks %s', async (_, content) => {
  const unpacked = await gunzip(new Blob([gzipSync(content)]));
  expect(new TextDecoder().decode(await unpacked?.arrayBuffer())).toBe(content);
});

test('decompressed data is not a Response, because browsers write those to a file', async () => {
  const blob = vi.spyOn(Response.prototype, 'blob');
  await gunzip(new Blob([packed]));
  expect(blob).not.toHaveBeenCalled();
  blob.mockRestore();
});

test.each([
  ['nothing', new Uint8Array(0)],
  ['a text', Buffer.from(text)],
  ['the magic number alone', packed.subarray(0, 2)],
  ['a cut file', packed.subarray(0, packed.length - 20)],
  ['a packed text', gzipSync('a log')],
  ['a minidump that is too large', gzipSync(Buffer.concat([Buffer.from('MDMP'), Buffer.alloc(MOST_OF_DUMP)]))],
  ['damage', Buffer.from(packed).fill(0xff, 30, 40)],
])('leaves %s to Go', async (_, data) => {
  expect(await gunzip(new Blob([new Uint8Array(data)]))).toBe(null);
});

// Browsers refuse a second member, Node unpacks it. Half of the content would be wrong.
test('several members come out whole or not at all', async () => {
  const both = await gunzip(new Blob([packed, packed]));
  expect([undefined, text + text]).toContain(await both?.text());
});

test('does not unpack more than it may', async () => {
  expect(await gunzip(new Blob([packed]), undefined, text.length - 1)).toBe(null);
  let unpacked = 0;
  expect(await gunzip(new Blob([packed]), size => (unpacked = size), text.length)).not.toBe(null);
  expect(unpacked).toBe(text.length);
});

test.each([
  ['a.sym.gz', 'a.sym.gz/a.sym'],
  ['folder/a.SYM.GZ', 'folder/a.SYM.GZ/a.SYM'],
  ['a.sym', 'a.sym/a.sym'],
  ['.gz', '.gz/.gz'],
])('what is in %s is called %s', (path, name) => {
  expect(memberName(path)).toBe(name);
});
