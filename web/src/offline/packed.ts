// Files of the page from hosts that send them as they are: their packed neighbours are asked for, and unpacked here.
//
// The program is 19 MB, and 2.8 packed by brotli. A host that packs says so in its answer, and is taken at its word.
import {type Unbrotli, unbrotli} from './unbrotli.ts';

export type Get = (url: string, init?: RequestInit) => Promise<Response>;

/** What is worth a second question: the program, which brotli makes smallest, and the licences, for which gzip will do. */
function worthwhile(url: string): 'br' | 'gz' | null {
  const {pathname} = new URL(url);
  if (pathname.endsWith('.wasm')) return 'br';
  return pathname.endsWith('.txt') ? 'gz' : null;
}

/** What is near need not be small, and crashglass serve has no packed neighbours. */
const isNear = (url: string): boolean => /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname);

/** A host whose answer to every address is a page has no such neighbour either. */
const isPage = (response: Response): boolean => /^text\/html\b/.test(response.headers.get('content-type') ?? '');

const isPlain = (response: Response): boolean => response.ok && response.headers.get('content-encoding') === null;

/**
 * Asks for a file, or for its neighbour where the file would come unpacked. decoder is the address of the one for brotli; told is called with
 * how much of the neighbour has come.
 */
export async function getPacked(
  url: string,
  init: RequestInit,
  get: Get,
  decoder: string,
  told: (bytes: number) => void = () => {},
): Promise<Response> {
  const form = worthwhile(url);
  if (isNear(url) || form === null) return get(url, init);
  // Only the head: of a file that is broken off, some has come by then.
  const plain = await get(url, {...init, method: 'HEAD'}).catch(() => null);
  if (plain === null || !isPlain(plain)) return get(url, init);
  const packed = await get(`${url}.${form}`, init).catch(() => null);
  if (!packed?.ok || packed.body === null || isPage(packed)) return get(url, init);
  // A host that packs nothing else may say of this one that it is packed, and then the browser has unpacked it.
  const sent = packed.headers.get('content-encoding') !== null;
  const coming = form === 'br' ? packed.body.pipeThrough(counter(told)) : packed.body;
  const body = sent ? coming : coming.pipeThrough(await unpacking(form, decoder, get));
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

/** The browser's own where it has one: for gzip each, for brotli Firefox. */
async function unpacking(form: 'br' | 'gz', decoder: string, get: Get): Promise<Unbrotli> {
  if (form === 'gz') return new DecompressionStream('gzip') as Unbrotli;
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
