// A part of the page is drawn again only if its subject or one of the parts of the state that its caller names is another.
//
// The compiler lets a view read no other parts: the type Seen in each file of views lists them. Parts are replaced and never changed, so an identical object
// means an unchanged part.
//
// A new report changes every part. Drawn at once, this would be one long task that blocks the page. So the parts beside and
// below the stack are drawn one per frame, in the document's order, and show their old content of the same dump until then.
import {html, noChange, nothing} from 'lit-html';
import {Directive, directive} from 'lit-html/directive.js';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import type {Turns} from '../app/turns.ts';

/** The subject of the part, usually a dump: the same one if the number is the same, and unchanged if the object is the same. */
type Subject = {readonly id: number} | null;

/** Draws from these parts of the state and the subject. */
export type View<T extends Subject, K extends keyof State> = (state: Pick<State, K>, of: T, act: Actions) => unknown;

interface Drawn {
  readonly view: unknown;
  readonly of: Subject;
  readonly from: readonly State[keyof State][];
}

class Part extends Directive {
  #drawn: Drawn | null = null;

  override render<T extends Subject, K extends keyof State>(
    from: readonly K[],
    view: View<T, NoInfer<K>>,
    state: State,
    of: T,
    act: Actions,
    turns?: Turns,
  ): unknown {
    const last = this.#drawn;
    const same = last?.view === view && last.of === of;
    const now = from.map(name => state[name]);
    if (same && now.every((value, i) => value === last.from[i])) return noChange;
    // The effect of a user's action is drawn at once; only new content waits.
    const turn = same ? 'now' : (turns?.request() ?? 'now');
    if (turn !== 'now') {
      if (last?.view === view && last.of?.id === of?.id) return noChange;
      this.#drawn = null;
      return turn === 'next' ? html`<div class="pending"></div>` : nothing;
    }
    this.#drawn = {view, of, from: now};
    return view(state, of, act);
  }
}

/** Draws a view that depends on these parts of the state. With turns, its first drawing may be some frames later. */
export const part = directive(Part) as Part['render'];
