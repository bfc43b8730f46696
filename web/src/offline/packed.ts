// Files of the page from hosts elsewhere: their packed neighbours are asked for, and unpacked here, whatever the host packs itself.
//
// The program is 20 MB. A host that packs it sends 2.9 MB by brotli, or 4.3 by gzip; the neighbour by xz is 2.8, and no browser unpacks that.
import {type Unpacked, unxz} from './xz.ts';

export type Get = (url: string, init?: RequestInit) => Promise<Response>;

type Form = 'xz' | 'gz';

/** The neighbour that is worth asking for; that of the page itself is not, since the browser has the page. */
function formOf(url: string): Form | null {
  const {pathname} = new URL(url);
  if (pathname.endsWith('.wasm')) return 'xz';
  return /\.(txt|dmp|sym|js|css)$/.test(pathname) ? 'gz' : null;
}

/** What is near need not be small, and crashglass serve has no packed neighbours. */
const isNear = (url: string): boolean => /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname);

/** Asks for a file's packed neighbour, or for the file where there is none. told is called with how much of the program has come. */
export async function getPacked(
  url: string,
  init: RequestInit,
  get: Get,
  told: (bytes: number) => void = () => {},
): Promise<Response> {
  const form = isNear(url) ? null : formOf(url);
  const neighbour = form && (await get(`${url}.${form}`, init).catch(() => null));
  // A neighbour whose first bytes do not come is none, like one that the host does not have.
  const file = form && neighbour && (await unpacked(url, form, neighbour, told).catch(() => null));
  return file ?? get(url, init);
}

/** The file out of its neighbour; null if the answer is none, as that of a host which answers every address with a page. */
async function unpacked(
  url: string,
  form: Form,
  neighbour: Response,
  told: (bytes: number) => void,
): Promise<Response | null> {
  if (!neighbour.ok || neighbour.body === null || isPage(neighbour)) {
    await neighbour.body?.cancel(); // else the host goes on sending what nobody reads
    return null;
  }
  const [first, body] = await begun(neighbour.body as ReadableStream<Bytes>);
  const coming = form === 'xz' ? body.pipeThrough(counter(told)) : body;
  const headers = headersOf(url, neighbour);
  if (isOf(form, first)) return new Response(coming.pipeThrough(unpacking(form)), {headers});
  // A host may say that the neighbour is compressed so, and then the browser has unpacked it. Any other compression says nothing.
  if (ENCODING[form].test(neighbour.headers.get('content-encoding') ?? '')) return new Response(coming, {headers});
  await coming.cancel();
  return null;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** The first bytes of a stream, as many as tell what it is, and the stream from its beginning. */
async function begun(stream: ReadableStream<Bytes>): Promise<[Bytes, ReadableStream<Bytes>]> {
  const reader = stream.getReader();
  const {bytes: first, over} = await atLeast(reader, 3);
  let given = false;
  const whole = new ReadableStream<Bytes>({
    async pull(to) {
      const {done, value} = given ? await reader.read() : {done: over && first.length === 0, value: first};
      given = true;
      if (done || value === undefined) to.close();
      else to.enqueue(value);
    },
    cancel: () => reader.cancel(),
  });
  return [first, whole];
}

/** What comes until it is so much, or until there is no more: a first piece may be a single byte. */
async function atLeast(
  reader: ReadableStreamDefaultReader<Bytes>,
  size: number,
): Promise<{bytes: Bytes; over: boolean}> {
  let bytes: Bytes = new Uint8Array();
  while (bytes.length < size) {
    const {done, value} = await reader.read();
    if (done) return {bytes, over: true};
    bytes = bytes.length === 0 ? value : joined(bytes, value);
  }
  return {bytes, over: false};
}

function joined(a: Bytes, b: Bytes): Bytes {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

const MAGIC: Readonly<Record<Form, readonly number[]>> = {xz: [0xfd, 0x37, 0x7a], gz: [0x1f, 0x8b]};

const ENCODING: Readonly<Record<Form, RegExp>> = {xz: /\bxz\b/, gz: /\bgzip\b/};

const isOf = (form: Form, bytes: Bytes): boolean => MAGIC[form].every((byte, i) => bytes[i] === byte);

const isPage = (response: Response): boolean => /^text\/html\b/.test(response.headers.get('content-type') ?? '');

const unpacking = (form: Form): Unpacked => (form === 'xz' ? unxz() : (new DecompressionStream('gzip') as Unpacked));

/** Those of the answer, for what is in it: the type, on which browsers insist, is that of an archive. */
function headersOf(url: string, neighbour: Response): Headers {
  const headers = new Headers(neighbour.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  const ending = new URL(url).pathname.split('.').pop() ?? '';
  headers.set('content-type', TYPES[ending] ?? 'application/octet-stream');
  return headers;
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
};

function counter(told: (bytes: number) => void): Unpacked {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, to) {
      bytes += chunk.length;
      told(bytes);
      to.enqueue(chunk);
    },
  });
}
