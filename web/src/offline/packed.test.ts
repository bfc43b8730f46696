import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {brotliCompressSync, gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {type Get, getPacked} from './packed.ts';

const decoder = readFileSync(
  fileURLToPath(new URL('../../node_modules/brotli-dec-wasm/pkg/brotli_dec_wasm_bg.wasm', import.meta.url)),
);
const file = Buffer.from('Crashglass '.repeat(50_000));
const AT = 'https://host.example/a.wasm';

/** A host that has some files, by their paths, and says more of each. */
function host(files: Readonly<Record<string, readonly [Buffer, Readonly<Record<string, string>>]>>): {
  get: Get;
  asked: string[];
} {
  const asked: string[] = [];
  const get: Get = async (url, {method} = {}) => {
    const path = new URL(url).pathname;
    asked.push(method === undefined ? path : `${method} ${path}`);
    const [bytes, headers] = files[path] ?? [];
    if (!bytes) return new Response('not here', {status: 404});
    return new Response(new Uint8Array(bytes), {headers: {'content-length': String(bytes.length), ...headers}});
  };
  return {get, asked};
}

const wasm = {'content-type': 'application/wasm'};
const plain = {'/a.wasm': [file, wasm]} as const;
const packed = {'/a.wasm.br': [brotliCompressSync(file), {}], '/d.wasm.gz': [gzipSync(decoder), {}]} as const;

const ask = (get: Get, url = AT): Promise<Response> => getPacked(url, {}, get, 'https://host.example/d.wasm');
const content = async (response: Response): Promise<string> => Buffer.from(await response.arrayBuffer()).toString();

test('a host that does not pack is asked for the neighbour, which is unpacked here', async () => {
  const {get, asked} = host({...plain, ...packed});
  const response = await ask(get);
  expect(response.headers.get('content-type')).toBe('application/wasm');
  expect(await content(response)).toBe(file.toString());
  expect(asked).toEqual(['HEAD /a.wasm', '/a.wasm.br', '/d.wasm.gz']);
});

test.each([
  ['a host that packs', {...wasm, 'content-encoding': 'gzip'}, AT, ['HEAD /a.wasm', '/a.wasm']],
  ['this machine', wasm, 'http://127.0.0.1:8080/a.wasm', ['/a.wasm']],
] as const)('%s is asked for the file', async (_, headers, url, want) => {
  const {get, asked} = host({'/a.wasm': [file, headers], ...packed});
  expect(await content(await ask(get, url))).toBe(file.toString());
  expect(asked).toEqual(want);
});

test('of licences the neighbour by gzip is asked for, which needs no decoder', async () => {
  const {get, asked} = host({'/l.txt': [file, {'content-type': 'text/plain'}], '/l.txt.gz': [gzipSync(file), {}]});
  const response = await ask(get, 'https://host.example/l.txt');
  expect(response.headers.get('content-type')).toBe('text/plain');
  expect(await content(response)).toBe(file.toString());
  expect(asked).toEqual(['HEAD /l.txt', '/l.txt.gz']);
});

test('nothing else is asked for twice', async () => {
  const {get, asked} = host({'/a.js': [file, {}], '/a.js.br': [brotliCompressSync(file), {}]});
  expect(await content(await ask(get, 'https://host.example/a.js'))).toBe(file.toString());
  expect(asked).toEqual(['/a.js']);
});

test.each([
  ['no neighbour', {}],
  ['a page for every address', {'/a.wasm.br': [Buffer.from('<!doctype html>'), {'content-type': 'text/html'}]}],
] as const)('of a host with %s the plain file is taken', async (_, more) => {
  const {get} = host({...plain, ...more});
  expect(await content(await ask(get))).toBe(file.toString());
});

test('a neighbour that the browser has unpacked is taken as it is', async () => {
  const {get} = host({...plain, '/a.wasm.br': [file, {'content-encoding': 'br'}]});
  expect(await content(await ask(get))).toBe(file.toString());
});

test('a neighbour that ends too soon is an error', async () => {
  const [bytes] = packed['/a.wasm.br'];
  const {get} = host({...plain, ...packed, '/a.wasm.br': [bytes.subarray(0, bytes.length - 5), {}]});
  await expect(content(await ask(get))).rejects.toThrow();
});
