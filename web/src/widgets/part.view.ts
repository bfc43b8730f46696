// A part of the page is drawn again when something has changed of what it was drawn from, and not otherwise.
//
// What that is nobody has to list: a part is drawn from a state that notes which of its fields are asked for. Fields are
// replaced and never changed, so those that are the same objects still say the same.
//
// A new report changes every part. Drawn at once that is one long task, in which the page answers to nobody. So what stands
// beside and below the stack takes turns, one part a frame in the document's order, and until then shows what it showed of the
// same dump.
import './part.css';
import {html, noChange, nothing} from 'lit-html';
import {Directive, directive} from 'lit-html/directive.js';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import type {Turns} from '../app/turns.ts';

/** What is shown, as a rule a dump: the same one when the number is the same, and unchanged when it is the same object. */
type Subject = {readonly id: number} | null;

/** Draws something out of the state and its subject. */
export type View<T extends Subject> = (state: State, of: T, act: Actions) => unknown;

type Noted = Map<keyof State, unknown>;

interface Drawn {
  readonly view: View<never>;
  readonly of: Subject;
  readonly from: Noted;
}

class Part extends Directive {
  #drawn: Drawn | null = null;

  override render<T extends Subject>(view: View<T>, state: State, of: T, act: Actions, turns: Turns | null): unknown {
    const last = this.#drawn;
    const same = last?.view === view && last.of === of;
    if (same && isStill(last.from, state)) return noChange;
    // What the person does to what they see is seen at once; only what is new waits.
    const turn = same ? 'now' : (turns?.take() ?? 'now');
    if (turn !== 'now') {
      if (last?.view === view && last.of?.id === of?.id) return noChange;
      this.#drawn = null;
      return turn === 'next' ? html`<div class="to-come"></div>` : nothing;
    }
    const from: Noted = new Map();
    const drawn = view(noting(state, from), of, act);
    this.#drawn = {view, of, from};
    return drawn;
  }
}

/** What view draws of it. With turns it may be drawn some frames later. */
export const part = directive(Part) as <T extends Subject>(
  view: View<T>,
  state: State,
  of: T,
  act: Actions,
  turns?: Turns | null,
) => unknown;

const isStill = (from: Noted, state: State): boolean => {
  for (const [field, value] of from) if (state[field] !== value) return false;
  return true;
};

const noting = (state: State, from: Noted): State =>
  new Proxy(state, {
    get(of, field: keyof State) {
      from.set(field, of[field]);
      return of[field];
    },
  });
