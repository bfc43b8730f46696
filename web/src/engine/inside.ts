// Files inside of the page: viewer.html has all of them, compressed, in elements; other pages have none. A capsule is viewer.html with a dump and its
// symbols inside. symbols/share/capsule makes it.
import {unfolded} from '../offline/folded.ts';
import {unxz} from '../offline/xz.ts';
import type {InputFile} from './protocol.ts';
import type {About} from './types.ts';

/** Whether this page is one file and sends no request. */
export const isWhole = (): boolean => element('*') !== null;

const element = (name: string): HTMLScriptElement | null =>
  document.querySelector<HTMLScriptElement>(
    name === '*' ? 'script[data-file]' : `script[data-file="${CSS.escape(name)}"]`,
  );

/** A file by the last part of its address; null if it is not inside of the page. */
export function inside(url: string): Response | null {
  const name = url.slice(url.lastIndexOf('/') + 1);
  const packed = element(name)?.textContent;
  if (packed === undefined || packed === null) return null;
  return unpacked(packed, name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream');
}

/** How xz begins, in base64. */
const XZ = '/Td6WF';

/** The content of such an element: gzip in base64, or the folded program in xz. */
export function unpacked(packed: string, type: string): Response {
  const stream = new Blob([bytesOf(packed)]).stream();
  const content = packed.startsWith(XZ)
    ? stream.pipeThrough(unxz()).pipeThrough(unfolded())
    : stream.pipeThrough(new DecompressionStream('gzip'));
  return new Response(content, {headers: {'content-type': type}});
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

interface Capsule {
  readonly about: About;
  readonly files: readonly InputFile[];
  readonly sources: readonly InputFile[];
}

/** Whether this page is a capsule. */
export const isCapsule = (): boolean => document.querySelector('script[data-capsule]') !== null;

/** The contents of this page; null if it is no capsule. */
export async function capsule(): Promise<Capsule | null> {
  const about = document.querySelector('script[data-capsule]');
  if (!about) return null;
  const all = await Promise.all([...document.querySelectorAll<HTMLScriptElement>('script[data-role]')].map(read));
  const [sources, files] = [all.filter(({role}) => role === 'source'), all.filter(({role}) => role !== 'source')];
  return {
    about: aboutOf(
      about.textContent ?? '',
      all.map(({input}) => input.path),
    ),
    files: files.map(({input}) => input),
    sources: sources.map(({input}) => input),
  };
}

async function read(element: HTMLScriptElement): Promise<{role: string; input: InputFile}> {
  const {role = '', name = ''} = element.dataset;
  return {role, input: {path: name, file: await unpacked(element.textContent ?? '', '').blob()}};
}

/** Reads the description of a capsule. It is untrusted: any program may have written the file. */
export function aboutOf(json: string, names: readonly string[]): About {
  const said: unknown = parsed(json);
  const {made, by, cleaned} = typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : {};
  const date = typeof made === 'string' ? new Date(made) : null;
  return {
    made: date && !Number.isNaN(date.getTime()) ? date : null,
    by: typeof by === 'string' ? by : '',
    cleaned: typeof cleaned === 'boolean' ? cleaned : null,
    names,
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
