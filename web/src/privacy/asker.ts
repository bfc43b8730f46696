// The asker: a worker that was started before the door was locked, and so may ask the page's own host. It never holds a dump;
// the page, and the workers that do, may ask nobody. It is started only where a host offers symbols.

/** To the asker: one address. */
export interface Ask {
  readonly url: string;
}

/** From the asker: what came, or null and why not. */
export type Got =
  | {readonly url: string; readonly file: Blob; readonly why: null}
  | {readonly url: string; readonly file: null; readonly why: string};

async function get(url: string): Promise<Got> {
  try {
    const response = await fetch(url, {credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer'});
    if (response.ok) return {url, file: await response.blob(), why: null};
    return {url, file: null, why: response.status === 404 ? 'not there' : `the host answered ${response.status}`};
  } catch {
    return {url, file: null, why: 'the host did not answer, or stopped'};
  }
}

let last = Promise.resolve();

addEventListener('message', ({data}: MessageEvent<Ask>) => {
  last = last.then(async () => postMessage(await get(data.url)));
});
