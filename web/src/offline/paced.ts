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
