// All requests of the page besides its own parts, before the page locks.
import {type Kept, keepOffline} from '../offline/register.ts';
import {askHost, type SymbolHost} from './host.ts';
import {type Requester, startRequester} from './requests.ts';

export interface Prepared {
  readonly kept: Kept;
  readonly host: SymbolHost | null;
  /** null if the host offers no symbols. */
  readonly ask: Requester | null;
}

/** The service worker comes first: what the page loads next, it loads from what was kept. */
export async function prepare(): Promise<Prepared> {
  const kept = await keepOffline();
  const host = await askHost();
  const ask = host && (await startRequester(host).catch(() => null));
  await loaded();
  return {kept, host: ask && host, ask};
}

/** Browsers fetch the manifest of an installable page when it has been loaded, which must not happen once the page is locked. */
const loaded = (): Promise<void> =>
  new Promise(resolve => {
    if (document.readyState === 'complete') resolve();
    else addEventListener('load', () => setTimeout(resolve), {once: true});
  });
