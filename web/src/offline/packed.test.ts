import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {xz} from '../../pack/compress.ts';
import {type Get, getPacked} from './packed.ts';

const file = Buffer.from('Crashglass '.repeat(50_000));
const AT = 'https://host.example/a.wasm';

/** A host that has some files, by their paths, and says more of each. */
function host(files: Readonly<Record<string, readonly [Buffer, Readonly<Record<string, string>>]>>): {
  get: Get;
  requested: string[];
} {
  const requested: string[] = [];
  const get: Get = async (url, {method} = {}) => {
    const path = new URL(url).pathname;
    requested.push(method === undefined ? path : `${method} ${path}`);
    const [bytes, headers] = files[path] ?? [];
    if (!bytes) return new Response('not here', {status: 404});
    return new Response(new Uint8Array(bytes), {headers: {'content-length': String(bytes.length), ...headers}});
  };
  return {get, requested};
}

const wasm = {'content-type': 'application/wasm'};
const plain = {'/a.wasm': [file, wasm]} as const;
const neighbour = await xz(file);
const packed = {'/a.wasm.xz': [neighbour, {'content-type': 'application/x-xz'}]} as const;

const request = (get: Get, url = AT): Promise<Response> => getPacked(url, {}, get);
const content = async (response: Response): Promise<string> => Buffer.from(await response.arrayBuffer()).toString();

test('a host is asked for the program by xz, which is unpacked here', async () => {
  const {get, requested} = host({...plain, ...packed});
  const response = await request(get);
  expect(response.headers.get('content-type')).toBe('application/wasm');
  expect(await content(response)).toBe(file.toString());
  expect(requested).toEqual(['/a.wasm.xz']);
});

test('the compressed copy is passed on when all of it has arrived', async () => {
  const copies: Blob[] = [];
  const keep = (copy: Blob): void => void copies.push(copy);
  const response = await getPacked(AT, {}, host(packed).get, undefined, keep);
  expect(await content(response)).toBe(file.toString());
  expect(await Promise.all(copies.map(async copy => Buffer.from(await copy.arrayBuffer())))).toEqual([neighbour]);
});

test('this machine is asked for the file', async () => {
  const {get, requested} = host({...plain, ...packed});
  expect(await content(await request(get, 'http://127.0.0.1:8080/a.wasm'))).toBe(file.toString());
  expect(requested).toEqual(['/a.wasm']);
});

test.each([
  ['licences', 'txt', 'text/plain; charset=utf-8'],
  ['scripts', 'js', 'text/javascript; charset=utf-8'],
  ['symbols', 'sym', 'application/octet-stream'],
])('%s are asked for by gzip', async (_, ending, type) => {
  const {get, requested} = host({
    [`/l.${ending}`]: [file, {}],
    [`/l.${ending}.gz`]: [gzipSync(file), {'x-policy': 'strict'}],
  });
  const response = await request(get, `https://host.example/l.${ending}`);
  expect([...response.headers]).toEqual([
    ['content-type', type],
    ['x-policy', 'strict'],
  ]);
  expect(await content(response)).toBe(file.toString());
  expect(requested).toEqual([`/l.${ending}.gz`]);
});

test('the page itself is asked for as it is', async () => {
  const {get, requested} = host({'/': [file, {}]});
  expect(await content(await request(get, 'https://host.example/'))).toBe(file.toString());
  expect(requested).toEqual(['/']);
});

test.each([
  ['no neighbour', {}],
  ['a page for every address', {'/a.wasm.xz': [Buffer.from('<!doctype html>'), {'content-type': 'text/html'}]}],
  [
    'a compressed page for every address',
    {'/a.wasm.xz': [Buffer.from('<!doctype html>'), {'content-type': 'text/html', 'content-encoding': 'br'}]},
  ],
  [
    'a compressed note for every address',
    {'/a.wasm.xz': [Buffer.from('not here'), {'content-type': 'text/plain', 'content-encoding': 'gzip'}]},
  ],
] as const)('a host with %s is asked for the plain file', async (_, more) => {
  const {get} = host({...plain, ...more});
  expect(await content(await request(get))).toBe(file.toString());
});

test('a neighbour that the browser has unpacked is taken as it is', async () => {
  const {get, requested} = host({...plain, '/a.wasm.xz': [file, {'content-encoding': 'xz'}]});
  expect(await content(await request(get))).toBe(file.toString());
  expect(requested).toEqual(['/a.wasm.xz']);
});

test('a compressed copy that the host compresses once more is decompressed here', async () => {
  const {get} = host({...plain, '/a.wasm.xz': [neighbour, {'content-encoding': 'gzip'}]});
  expect(await content(await request(get))).toBe(file.toString());
});

/** A host whose compressed copy arrives in these chunks; null is a network error. */
const inPieces = (pieces: readonly (Uint8Array<ArrayBuffer> | null)[]): Get => {
  const body = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
    new ReadableStream({
      start(to) {
        for (const piece of pieces) piece ? to.enqueue(piece) : to.error(new TypeError('network error'));
        to.close();
      },
    });
  return async url =>
    url.endsWith('.xz') ? new Response(body()) : new Response(new Uint8Array(file), {headers: wasm});
};

test('a compressed copy whose first chunk is one byte is decompressed', async () => {
  const bytes = new Uint8Array(neighbour);
  const get = inPieces([bytes.slice(0, 1), bytes.slice(1)]);
  expect(await content(await request(get))).toBe(file.toString());
});

test('without the first bytes of a compressed copy the plain file is used', async () => {
  expect(await content(await request(inPieces([null])))).toBe(file.toString());
});

test('a truncated compressed copy is an error', async () => {
  const {get} = host({...plain, '/a.wasm.xz': [neighbour.subarray(0, neighbour.length / 2), {}]});
  await expect(content(await request(get))).rejects.toThrow('is truncated');
});
