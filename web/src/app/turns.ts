// Who may draw now, and who waits for a later frame.

export interface Turns {
  /** Asks for a turn: it is there, or one is the next, or one waits longer. */
  take(): 'now' | 'next' | 'later';
}

export interface Rounds extends Turns {
  /** Begins a drawing with so many turns in it. */
  begin(turns: number): void;
  /** Whether somebody asked since and got none. */
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
    take() {
      if (waiting === 0 && left > 0) {
        left--;
        return 'now';
      }
      return waiting++ === 0 ? 'next' : 'later';
    },
    get waiting() {
      return waiting > 0;
    },
  };
}

/** A task of its own, as soon as there is time. */
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

/** Calls back after the next frame is shown; a page that nobody sees has no frames. */
export function afterFrame(call: () => void): void {
  const then = (): void => void newTask().then(call);
  if (document.hidden) then();
  else requestAnimationFrame(then);
}

/** How long a round waits that has time, in ms. */
const LATER = 700;

/** Calls back after the next frame or, later, when there was time for something else. What is wanted soon does not wait for later. */
export function createPace(call: () => void): (when: 'soon' | 'later') => void {
  let toCome: 'soon' | 'later' | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const go = (): void => {
    toCome = null;
    call();
  };
  return when => {
    if (toCome === 'soon' || toCome === when) return;
    clearTimeout(timer);
    toCome = when;
    if (when === 'soon') afterFrame(go);
    else timer = setTimeout(go, LATER);
  };
}
