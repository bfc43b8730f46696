import {mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {openCache} from './cache.ts';

let folder: string;
let made: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crashglass-cache-'));
  made = [];
});
afterEach(() => rmSync(folder, {recursive: true}));

const shout = async (bytes: Buffer): Promise<Buffer> => {
  made.push(bytes.toString());
  return Buffer.from(bytes.toString().toUpperCase());
};

const cached = async (name: string, text: string): Promise<string> =>
  (await (await openCache(folder)).get(name, Buffer.from(text), shout)).toString();

test('the same bytes are packed once, in each form', async () => {
  expect(await cached('br', 'a')).toBe('A');
  expect(await cached('br', 'a')).toBe('A');
  expect(await cached('br', 'b')).toBe('B');
  expect(await cached('xz', 'a')).toBe('A');
  expect(made).toEqual(['a', 'b', 'a']);
});

test('what the last build did not ask for is forgotten', async () => {
  await cached('br', 'old');
  writeFileSync(join(folder, 'half.123'), 'of a build that was stopped');
  const cache = await openCache(folder);
  await cache.get('br', Buffer.from('new'), shout);
  await cache.tidy();
  expect(readdirSync(folder)).toHaveLength(1);
  expect(await cached('br', 'new')).toBe('NEW');
  expect(made).toEqual(['old', 'new']);
});
