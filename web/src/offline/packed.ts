// Files of the page from hosts that send them as they are: their packed neighbours are asked for, and unpacked here.
//
// The program is 19 MB, and 2.8 packed by brotli. A host that packs says so in its answer, and is taken at its word.
import {type Unbrotli, unbrotli} from './unbrotli.ts';

export type Get = (url: string, init?: RequestInit) => Promise<Response>;

/** A smaller file is not worth a second question, and the page itself has loaded its script by then: the browser has it. */
const WORTHWHILE = 256 << 10;

/** What is near need not be small, and crashglass serve has no packed neighbours. */
const isNear = (url: string): boolean => /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname);

/** A host whose answer to every address is a page has no such neighbour either. */
const isPage = (response: Response): boolean => /^text\/html\b/.test(response.headers.get('content-type') ?? '');

function isPlain(response: Response): boolean {
  const size = Number(response.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  return response.ok && response.headers.get('content-encoding') === null && size >= WORTHWHILE;
}

/**
 * Asks for a file, and for its neighbour instead when it comes unpacked. decoder is the address of the one for brotli; told is called with
 * how much of the neighbour has come.
 */
export async function getPacked(
  url: string,
  init: RequestInit,
  get: Get,
  decoder: string,
  told: (bytes: number) => void = () => {},
): Promise<Response> {
  const asked = new AbortController();
  const plain = await get(url, {...init, signal: asked.signal});
  if (isNear(url) || !isPlain(plain)) return plain;
  asked.abort(); // at once: what is on its way is lost
  const packed = await get(`${url}.br`, init).catch(() => null);
  if (!packed?.ok || packed.body === null || isPage(packed)) return get(url, init);
  // A host that packs nothing else may say of this one that it is packed, and then the browser has unpacked it.
  const sent = packed.headers.get('content-encoding') === 'br';
  const coming = packed.body.pipeThrough(counter(told));
  const body = sent ? coming : coming.pipeThrough(await forBrotli(decoder, get));
  return new Response(body, {headers: {'content-type': plain.headers.get('content-type') ?? ''}});
}

function counter(told: (bytes: number) => void): Unbrotli {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, to) {
      bytes += chunk.length;
      told(bytes);
      to.enqueue(chunk);
    },
  });
}

/** The browser's own where it has one: Firefox, and Safari since 18.4. */
async function forBrotli(decoder: string, get: Get): Promise<Unbrotli> {
  try {
    return new DecompressionStream('brotli' as CompressionFormat) as Unbrotli;
  } catch {
    return unbrotli(await module(decoder, get));
  }
}

/** The decoder comes packed by gzip, which every browser unpacks. */
async function module(url: string, get: Get): Promise<WebAssembly.Module> {
  const response = await get(`${url}.gz`);
  if (!response.ok || response.body === null) throw new Error(`${url}.gz answered ${response.status}`);
  const sent = response.headers.get('content-encoding') !== null;
  const stream = sent ? response.body : response.body.pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}
