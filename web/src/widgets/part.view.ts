// A part of the page is drawn again only if a piece of state that it read has changed.
//
// The pieces need no list: a part is drawn from a proxy of the state that records which fields are read. Fields are replaced
// and never changed, so an identical object means an unchanged field.
//
// A new report changes every part. Drawn at once, this would be one long task that blocks the page. So the parts beside and
// below the stack are drawn one per frame, in the document's order, and show their old content of the same dump until then.
import './part.css';
import {html, noChange, nothing} from 'lit-html';
import {Directive, directive} from 'lit-html/directive.js';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import type {Turns} from '../app/turns.ts';

/**
 * The subject of the part, usually a dump: the same one if the number is the same, and unchanged if the object is the same.
 */
type Subject = {readonly id: number} | null;

/** Draws from the state and the subject. */
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
    // The effect of a user's action is drawn at once; only new content waits.
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

/** The drawing of view. With turns it may be drawn some frames later. */
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
