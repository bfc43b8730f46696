// The host's description of itself: one small file that is requested while the page loads.
import {isWhole} from '../engine/inside.ts';

/** A host that forwards symbol files, if its owner turned that on. */
export interface SymbolHost {
  /** Where, as an absolute address that ends in a slash. */
  readonly url: string;
  /** It can also find ELF files by build id. */
  readonly builds: boolean;
}

/** How long the page waits for site.json, in ms. Then the request is aborted, so that the page can lock. */
const PATIENCE = 10_000;

/** What the host says in site.json. */
export interface Site {
  readonly symbols: SymbolHost | null;
  /** Origins whose pages may give the page a dump (app/embed.ts). */
  readonly embed: readonly string[];
}

const SILENT: Site = {symbols: null, embed: []};

/** The content of site.json; nothing without a network, and without an answer in time. */
export async function requestSite(): Promise<Site> {
  if (isWhole()) return SILENT;
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const response = await fetch(new URL('site.json', location.href), {cache: 'no-store', signal});
    if (!response.ok) return SILENT;
    const said: unknown = await response.json();
    return {symbols: symbolHost(said, location.href), embed: embedders(said)};
  } catch {
    return SILENT;
  }
}

/** Reads the origins of site.json. What is no origin, such as "*" or "null", names none. */
export function embedders(said: unknown): readonly string[] {
  if (typeof said !== 'object' || said === null || !('embed' in said) || !Array.isArray(said.embed)) return [];
  return said.embed.filter(one => typeof one === 'string' && URL.canParse(one) && new URL(one).origin === one);
}

/** Reads the symbols of site.json. Only a folder of the page's own host is accepted. */
export function symbolHost(said: unknown, page: string): SymbolHost | null {
  if (typeof said !== 'object' || said === null || !('symbols' in said) || typeof said.symbols !== 'string')
    return null;
  const url = new URL(said.symbols, page);
  if (url.origin !== new URL(page).origin || !url.pathname.endsWith('/') || url.search || url.hash) return null;
  return {url: url.href, builds: 'builds' in said && said.builds === true};
}
