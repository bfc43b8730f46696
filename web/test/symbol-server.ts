// A symbol server on this machine, for tests of the Worker: each name of a file is a way to behave.
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {gzipSync} from 'node:zlib';

/** The size of what is called big. */
export const BIG = 100 * 2 ** 20;
const block = Buffer.alloc(2 ** 20, 'FUNC 1000 10 0 name\n');

export interface SymbolServer {
  readonly port: number;
  /** Method, path and headers of each request. */
  readonly requests: {method: string; path: string; headers: IncomingMessage['headers']}[];
  close(): void;
}

/** What the platform's cache holds, by the address that it was put under. */
export type Cached = Map<string, Buffer>;

/** A file of which parts are sent, and how the server behaves about it after the first part. */
export interface Ranged {
  readonly file: Buffer;
  how: 'honest' | 'ignores ranges' | 'sends another part' | 'changes the file' | 'sends nothing but parts';
  /** Bytes that were sent of it. */
  sent: number;
}

/** Starts the server. Files in extra, by path, are served as they are; of those in ranged parts are sent; those in refused answer 403. */
export async function startSymbolServer(
  extra: ReadonlyMap<string, Buffer> = new Map(),
  ranged: ReadonlyMap<string, Ranged> = new Map(),
  refused: ReadonlySet<string> = new Set(),
): Promise<SymbolServer> {
  const requests: SymbolServer['requests'] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push({method: request.method ?? '', path, headers: request.headers});
    const parts = ranged.get(path);
    if (parts) return sendPart(parts, request, response);
    const file = extra.get(path);
    if (refused.has(path)) response.writeHead(403).end();
    else if (file) response.writeHead(200, {'content-length': file.length}).end(file);
    else void behave(path.split('/').at(-1) ?? '', request, response);
  });
  const port = await listen(server);
  return {port, requests, close: () => void server.close()};
}

/** Answers a question for a file or a part of it. */
export function sendPart(at: Ranged, request: IncomingMessage, response: ServerResponse): void {
  const {file, how} = at;
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const isFirst = first === '0';
  const send = (status: number, from: number, to: number, headers: Record<string, string>): void => {
    at.sent += to - from;
    response.writeHead(status, {etag: '"one"', 'content-length': to - from, ...headers}).end(file.subarray(from, to));
  };
  const part = (from: number, to: number): Record<string, string> => ({
    'content-range': `bytes ${from}-${to - 1}/${file.length}`,
  });
  const from = Number(first ?? 0);
  const to = Math.min(Number(last) + 1, file.length);
  if (first === undefined && how === 'sends nothing but parts') send(206, 0, 100, part(0, 100));
  else if (first === undefined || (how === 'ignores ranges' && !isFirst)) send(200, 0, file.length, {});
  else if (how === 'sends another part' && !isFirst) send(206, from, to, part(from + 1024, to + 1024));
  else if (how === 'changes the file' && !isFirst) send(206, from, to, {...part(from, to), etag: '"two"'});
  else send(206, from, to, part(from, to));
}

async function behave(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  switch (name) {
    case 'small.sym':
      return void response.writeHead(200, {'content-length': 5, 'set-cookie': 'a=b', 'x-secret': '1'}).end('hello');
    case 'packed.sym':
      return void response.writeHead(200, {'content-encoding': 'gzip'}).end(gzipSync('hello'));
    case 'huge.sym':
      return void response.writeHead(200, {'content-length': 1000 * BIG}).flushHeaders();
    case 'endless.sym':
      response.writeHead(200);
      return stream(response, Number.POSITIVE_INFINITY);
    case 'slow.sym':
      return; // for ever
    case 'broken.sym':
      return void response.writeHead(500).end('a trace with secrets');
    case 'refused.sym':
      return void response.writeHead(403, {'cache-control': 'max-age=600'}).end('AccessDenied');
    case 'elsewhere.sym':
      return void response.writeHead(302, {location: 'https://evil.example/x'}).end();
    case 'partial.sym': // although no part was asked for
      return void response.writeHead(206, {'content-length': 2, 'content-range': 'bytes 0-1/5'}).end('he');
    case 'big.sym':
      return big(request, response);
    default:
      return void response.writeHead(404).end();
  }
}

function big(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (from === undefined || to === undefined) {
    response.writeHead(200, {'content-length': BIG});
    return stream(response, BIG);
  }
  const length = Number(to) - Number(from) + 1;
  response.writeHead(206, {'content-length': length, 'content-range': `bytes ${from}-${to}/${BIG}`});
  response.end(block.subarray(0, length));
}

async function stream(response: ServerResponse, bytes: number): Promise<void> {
  const gone = new Promise<true>(resolve => response.once('close', () => resolve(true)));
  for (let sent = 0; sent < bytes; sent += block.length) {
    if (response.write(block)) continue;
    if (await Promise.race([gone, new Promise<false>(resolve => response.once('drain', () => resolve(false)))])) return;
  }
  response.end();
}

/** What workerd asks for the Cache API: a proxy that knows GET and PUT of whole responses. */
export async function startCache(cached: Cached): Promise<{port: number; close(): void}> {
  const server = createServer(async (request, response) => {
    const key = `${request.headers.host}${request.url}`;
    if (request.method === 'PUT') {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      cached.set(key, Buffer.concat(parts));
      response.writeHead(204).end();
    } else if (cached.has(key)) response.writeHead(200, {'cf-cache-status': 'HIT'}).end('missing');
    else response.writeHead(504, {'cf-cache-status': 'MISS'}).end();
  });
  return {port: await listen(server), close: () => void server.close()};
}

const listen = (server: Server): Promise<number> =>
  new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
