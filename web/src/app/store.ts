// The one place where the page's state changes, and where effects learn of it.
import {initial, type Parts, type Problem, type State} from './state.ts';
import {newTask} from './turns.ts';

export interface Store {
  readonly state: State;
  /** Replaces parts of the state. */
  update(change: Partial<State> | ((state: State) => Partial<State>)): void;
  /** Replaces fields of one part. */
  change<K extends keyof Parts>(part: K, change: Partial<State[K]> | ((now: State[K]) => Partial<State[K]>)): void;
  /** Resolves when the effects of all updates so far have run. */
  drawn(): Promise<void>;
  /**
   * Runs an effect when one of these parts of the state has changed: once for all updates of a task, and in the next task
   * after new reports. Effects run in the order of these calls.
   */
  on<K extends keyof State>(parts: readonly K[], effect: Effect<K>): void;
}

/** What follows a change of these parts. What it changes itself is for the next round. */
type Effect<K extends keyof State> = (now: Pick<State, K>, before: Pick<State, K>) => void;

/** A store that draws with draw after each update, before the other effects. */
export function createStore(draw: (now: State, before: State) => void = () => undefined): Store {
  let state = initial;
  let seen = initial;
  let running: Promise<void> | null = null;
  const effects: {readonly parts: readonly (keyof State)[]; readonly run: (now: State, before: State) => void}[] = [];
  const run = (): void => {
    const before = seen;
    const now = state;
    running = null;
    seen = now;
    try {
      draw(now, before);
    } finally {
      for (const {parts, run} of effects) if (parts.some(part => now[part] !== before[part])) run(now, before);
    }
  };
  // This task has parsed a new report, and is long enough without drawing.
  const schedule = (): Promise<void> => {
    running ??= (state.dumps === seen.dumps ? Promise.resolve() : newTask()).then(run);
    return running;
  };
  const update: Store['update'] = change => {
    state = {...state, ...(typeof change === 'function' ? change(state) : change)};
    void schedule();
  };
  return {
    get state() {
      return state;
    },
    update,
    change: (part, change) =>
      update(state => {
        const fields = typeof change === 'function' ? change(state[part]) : change;
        return Object.keys(fields).length > 0 ? {[part]: {...state[part], ...fields}} : {};
      }),
    drawn: schedule,
    on: (parts, run) => void effects.push({parts, run}),
  };
}

/** Shows the result of the user's last action. */
export const say = (store: Store, toast: string): void => store.change('messages', {toast});

/** Adds to the files that were not used. */
export const addProblems = (store: Store, added: readonly Problem[]): void => {
  if (added.length > 0) store.change('messages', ({problems}) => ({problems: [...problems, ...added]}));
};
