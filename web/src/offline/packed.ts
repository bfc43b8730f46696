// Files of the page from remote hosts: their compressed copies are requested and decompressed here, independent of the host's own compression.
//
// The program has 24 MB. A host that compresses it sends 3.1 MB by brotli, or 4.5 by gzip. The .xz copy has 2.2 MB. It is of the folded program, and no browser
// decompresses xz.
import {unfolded} from './folded.ts';
import {type Unpacked, unxz} from './xz.ts';

export type Get = (url: string, init?: RequestInit) => Promise<Response>;

type Form = 'xz' | 'gz';

/** The compressed copy that is worth a request; not that of the page itself, since the browser has the page. */
function formOf(url: string): Form | null {
  const {pathname} = new URL(url);
  if (pathname.endsWith('.wasm')) return 'xz';
  return /\.(txt|cpp|dmp|elf|sym|js|css)$/.test(pathname) ? 'gz' : null;
}

/** A local host is fast without compression, and crashglass serve has no .gz copies. */
const isNear = (url: string): boolean => /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname);

/** The address of a program's compressed copy. */
export const packedURL = (url: string): string => `${url}.xz`;

/**
 * Requests a file's compressed copy, or the file if there is none. Of the program, onprogress is called with the number of bytes that have arrived, and
 * onpacked with the compressed copy when all of it has arrived.
 */
export async function getPacked(
  url: string,
  init: RequestInit,
  get: Get,
  onprogress: (bytes: number) => void = () => {},
  onpacked: (copy: Blob) => void = () => {},
): Promise<Response> {
  const form = isNear(url) ? null : formOf(url);
  const neighbour = form && (await get(`${url}.${form}`, init).catch(() => null));
  // A neighbour whose first bytes do not arrive counts as missing.
  const file =
    form && neighbour && (await unpacked(url, form, neighbour, watcher(onprogress, onpacked)).catch(() => null));
  return file ?? get(url, init);
}

/** The file from its compressed copy; null if the answer is something else, as from a host that answers every address with a page. */
async function unpacked(url: string, form: Form, neighbour: Response, watched: Unpacked): Promise<Response | null> {
  if (!neighbour.ok || neighbour.body === null || isPage(neighbour)) {
    await neighbour.body?.cancel(); // otherwise the host would continue to send unread bytes
    return null;
  }
  const [first, body] = await begun(neighbour.body as ReadableStream<Bytes>);
  const coming = form === 'xz' ? body.pipeThrough(watched) : body;
  const isPacked = isOf(form, first);
  // If the host declares this compression as Content-Encoding, the browser has already decompressed the copy. Any other encoding does not matter.
  if (!isPacked && !ENCODING[form].test(neighbour.headers.get('content-encoding') ?? '')) {
    await coming.cancel();
    return null;
  }
  const content = isPacked ? coming.pipeThrough(unpacking(form)) : coming;
  return new Response(form === 'xz' ? content.pipeThrough(unfolded()) : content, {headers: headersOf(url, neighbour)});
}

type Bytes = Uint8Array<ArrayBuffer>;

/** The first bytes of a stream, enough to identify it, and the stream from its beginning. */
async function begun(stream: ReadableStream<Bytes>): Promise<[Bytes, ReadableStream<Bytes>]> {
  const reader = stream.getReader();
  const {bytes: first, ended} = await atLeast(reader, 3);
  let isStarted = false;
  const whole = new ReadableStream<Bytes>({
    async pull(to) {
      const {done, value} = isStarted ? await reader.read() : {done: ended && first.length === 0, value: first};
      isStarted = true;
      if (done || value === undefined) to.close();
      else to.enqueue(value);
    },
    cancel: () => reader.cancel(),
  });
  return [first, whole];
}

/** Reads until there are `size` bytes, or no more: a first piece may be a single byte. */
async function atLeast(
  reader: ReadableStreamDefaultReader<Bytes>,
  size: number,
): Promise<{bytes: Bytes; ended: boolean}> {
  let bytes: Bytes = new Uint8Array();
  while (bytes.length < size) {
    const {done, value} = await reader.read();
    if (done) return {bytes, ended: true};
    bytes = bytes.length === 0 ? value : joined(bytes, value);
  }
  return {bytes, ended: false};
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

/** The answer's headers, for the decompressed content: its media type would be that of an archive, and browsers require the right one. */
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

function watcher(onprogress: (bytes: number) => void, onpacked: (copy: Blob) => void): Unpacked {
  const chunks: Bytes[] = [];
  let bytes = 0;
  return new TransformStream({
    transform(chunk, to) {
      chunks.push(chunk);
      bytes += chunk.length;
      onprogress(bytes);
      to.enqueue(chunk);
    },
    flush: () => onpacked(new Blob(chunks)),
  });
}
