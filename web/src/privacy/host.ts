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

/** The content of site.json; null for hosts that offer no symbols, without a network, and without an answer in time. */
export async function requestHost(): Promise<SymbolHost | null> {
  if (isWhole()) return null;
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const response = await fetch(new URL('site.json', location.href), {cache: 'no-store', signal});
    return response.ok ? symbolHost(await response.json(), location.href) : null;
  } catch {
    return null;
  }
}

/** Reads site.json. Only a folder of the page's own host is accepted. */
export function symbolHost(said: unknown, page: string): SymbolHost | null {
  if (typeof said !== 'object' || said === null || !('symbols' in said) || typeof said.symbols !== 'string')
    return null;
  const url = new URL(said.symbols, page);
  if (url.origin !== new URL(page).origin || !url.pathname.endsWith('/') || url.search || url.hash) return null;
  return {url: url.href, builds: 'builds' in said && said.builds === true};
}
