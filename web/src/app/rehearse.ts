// A warm-up of the views. The first drawing of a report takes three times as long as the next one, because the templates are
// parsed and the browser compiles the code. So while the page waits for the first dump it renders the example off-screen, into
// an element outside of the document, one part at a time.
import {render} from 'lit-html';
import type {Opened} from '../engine/types.ts';
import {app} from '../page/app.view.ts';
import type {Actions} from './actions.ts';
import {toDump} from './merge.ts';
import {firstPlace} from './select.ts';
import type {Store} from './store.ts';
import {createRounds} from './turns.ts';

/** Renders a report off-screen, until a dump is open or being read. */
export function rehearse(opened: Opened, store: Store, act: Actions): void {
  const nowhere = document.createElement('div');
  const dumps = [toDump(opened, false)];
  const rounds = createRounds();
  let turns = 0;
  const draw = (): void => {
    if (store.state.dumps.length > 0 || store.state.reading.work) return;
    rounds.begin(turns);
    render(app({...store.state, dumps, place: firstPlace(dumps, 0)}, act, rounds), nowhere);
    turns = 1;
    if (rounds.waiting) whenIdle(draw);
  };
  whenIdle(draw);
}

// Safari has no requestIdleCallback.
const whenIdle = (call: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(call);
  else setTimeout(call, 50);
};
