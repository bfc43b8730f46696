// All requests of the page besides its own parts, before the page locks.
import {type Cached, keepOffline} from '../offline/register.ts';
import {requestSite, type Site, type SymbolHost} from './host.ts';
import {type Requester, startRequester} from './requests.ts';

export interface Prepared {
  readonly cached: Cached;
  readonly host: SymbolHost | null;
  /** null if the host offers no symbols. */
  readonly requester: Requester | null;
  readonly embed: Site['embed'];
}

/** The service worker comes first: everything after it is loaded from its cache. A page inside of another one requests no symbols. */
export async function prepare(embedded: boolean): Promise<Prepared> {
  const cached = await keepOffline();
  const {symbols, embed} = await requestSite();
  const host = embedded ? null : symbols;
  const requester = host && (await startRequester(host).catch(() => null));
  await loaded();
  return {cached, host: requester && host, requester, embed};
}

/** Browsers fetch the manifest of an installable page when it has been loaded, which must not happen once the page is locked. */
const loaded = (): Promise<void> =>
  new Promise(resolve => {
    if (document.readyState === 'complete') resolve();
    else addEventListener('load', () => setTimeout(resolve), {once: true});
  });
