// Spreads a drawing over several frames: which parts draw now, and which wait.

export interface Turns {
  /** Requests a turn: now, in the next frame, or in a frame after it. */
  request(): 'now' | 'next' | 'pending';
}

export interface Rounds extends Turns {
  /** Begins a drawing with so many turns. */
  begin(turns: number): void;
  /** Whether a part has to wait for its turn. */
  readonly waiting: boolean;
}

export function createRounds(): Rounds {
  let left = 0;
  let waiting = 0;
  return {
    begin(turns) {
      left = turns;
      waiting = 0;
    },
    request() {
      if (waiting === 0 && left > 0) {
        left--;
        return 'now';
      }
      return waiting++ === 0 ? 'next' : 'pending';
    },
    get waiting() {
      return waiting > 0;
    },
  };
}

/** Runs a task of its own as soon as possible. */
export function newTask(): Promise<void> {
  return new Promise(resolve => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Calls back after the next frame is shown; a hidden page has no frames. */
export function afterFrame(call: () => void): void {
  const then = (): void => void newTask().then(call);
  if (document.hidden) then();
  else requestAnimationFrame(then);
}

/** How long a round without urgency waits, in ms. */
const DEFERRED = 700;

/** Calls back after the next frame or, for deferred rounds, after other work had time. An urgent round does not wait. */
export function createPace(call: () => void): (when: 'soon' | 'deferred') => void {
  let pending: 'soon' | 'deferred' | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const go = (): void => {
    pending = null;
    call();
  };
  return when => {
    if (pending === 'soon' || pending === when) return;
    clearTimeout(timer);
    pending = when;
    if (when === 'soon') afterFrame(go);
    else timer = setTimeout(go, DEFERRED);
  };
}
