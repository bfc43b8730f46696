// The one place where the page's state changes.
import {initial, type State} from './state.ts';
import {newTask} from './turns.ts';

export interface Store {
  readonly state: State;
  /**
   * Replaces a part of the state. Views are drawn once for all updates of a task; new reports are
   * drawn in the next task.
   */
  update(change: Partial<State> | ((state: State) => Partial<State>)): void;
  /** Resolves when the page has been drawn with all updates so far. */
  drawn(): Promise<void>;
  /** Calls back after each drawing. */
  watch(look: () => void): void;
}

/** A store that draws with draw. */
export function createStore(draw: (state: State) => void): Store {
  let state = initial;
  let drawn = initial;
  let drawing: Promise<void> | null = null;
  const watchers: (() => void)[] = [];
  const schedule = (): Promise<void> => {
    // This task has parsed a new report, and is long enough without drawing.
    drawing ??= (state.dumps === drawn.dumps ? Promise.resolve() : newTask()).then(() => {
      drawing = null;
      drawn = state;
      draw(state);
      for (const look of watchers) look();
    });
    return drawing;
  };
  return {
    get state() {
      return state;
    },
    update(change) {
      state = {...state, ...(typeof change === 'function' ? change(state) : change)};
      void schedule();
    },
    drawn: schedule,
    watch: look => watchers.push(look),
  };
}
