// Whether a service worker that is being installed may fetch the build. It can reach the network after a page has locked itself, so
// it asks the open pages first: a page says yes while it still waits for the build.
import type {Answer, FromServiceWorker} from './messages.ts';

/** How long it waits for answers, in ms. */
const ANSWER = 10_000;

/** An open page of this folder. */
export interface OpenPage {
  postMessage(message: FromServiceWorker, transfer: Transferable[]): void;
}

/**
 * Asks all open pages. One that waits is enough, and none is needed if none is open. Pages of an older build do not know the question:
 * with an active worker, silence counts as yes. Returns the answer that decides.
 */
export async function mayFetch(pages: readonly OpenPage[], active: boolean): Promise<Answer> {
  if (pages.length === 0) return true;
  let refused = false;
  const answers = pages.map(async page => {
    const may = await answerOf(page);
    refused ||= may === false;
    if (may === false) throw new Error('no');
    return may;
  });
  const waits = Promise.any(answers).catch(() => false);
  const silence = new Promise<boolean>(resolve => setTimeout(() => resolve(active && !refused), ANSWER));
  return Promise.race([waits, silence]);
}

function answerOf(page: OpenPage): Promise<Answer> {
  const {port1, port2} = new MessageChannel();
  return new Promise(resolve => {
    port1.onmessage = ({data}) => {
      port1.close();
      resolve(typeof data?.script === 'string' ? {script: data.script} : data === true);
    };
    page.postMessage({kind: 'may fetch'}, [port2]);
  });
}
