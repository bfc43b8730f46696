// The asker: a worker that was started before the door was locked, and so may ask the page's own host. It never holds a dump;
// the page, and the workers that do, may ask nobody. It is started only where a host offers symbols.
import {NOT_THERE, notSymbols} from './symbol-file.ts';

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
    // 206 is for questions of a part, and none is asked.
    if (response.status !== 200) {
      return {url, file: null, why: response.status === 404 ? NOT_THERE : `it answered ${response.status}`};
    }
    const file = await response.blob();
    const why = await notSymbols(file);
    return why === null ? {url, file, why} : {url, file: null, why};
  } catch {
    return {url, file: null, why: 'it did not answer, or stopped'};
  }
}

let last = Promise.resolve();

addEventListener('message', ({data}: MessageEvent<Ask>) => {
  last = last.then(async () => postMessage(await get(data.url)));
});
