// Time limits: requests that end, because a host that accepts a connection and then says nothing must not keep the page waiting forever; and messages
// at a steady pace.

/** How long a request waits for the beginning of its answer, in ms. */
const ANSWER = 60_000;

/** How long it waits for the end of it, in ms: the program comes within that over 40 kbit/s. */
const WHOLE = 600_000;

/** fetch, aborted when the answer does not begin or end in time. */
export async function patientFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const controller = new AbortController();
  const abort = (time: number): void =>
    controller.abort(
      new DOMException(`${url} did not arrive within ${time / 1000} s. Load the page again.`, 'TimeoutError'),
    );
  const {signal} = init;
  signal?.throwIfAborted();
  signal?.addEventListener('abort', () => controller.abort(signal.reason), {once: true});
  setTimeout(abort, WHOLE, WHOLE);
  const answer = setTimeout(abort, ANSWER, ANSWER);
  try {
    return await fetch(url, {...init, signal: controller.signal});
  } finally {
    clearTimeout(answer);
  }
}

/**
 * Sends the latest value, at most once in so many milliseconds. A value that comes too early waits for its time, or for a
 * later one in its place: what stands on the screen while a transfer stalls is the last value.
 */
export function paced<T>(milliseconds: number, send: (value: T) => void): (value: T) => void {
  let waiting: {value: T} | null = null;
  let resting = false;
  const sendNow = (value: T): void => {
    resting = true;
    setTimeout(wake, milliseconds);
    send(value);
  };
  const wake = (): void => {
    const next = waiting;
    [waiting, resting] = [null, false];
    if (next) sendNow(next.value);
  };
  return value => {
    if (resting) waiting = {value};
    else sendNow(value);
  };
}
