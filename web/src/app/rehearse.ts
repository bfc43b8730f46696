// The first drawing of a report takes three times as long as the next one: templates are parsed then, and the browser compiles
// what draws. Between the start of the page and the first dump there is nothing to do, which is when the example is drawn
// for nobody, in an element that is no part of the page, a part at a time.
import {render} from 'lit-html';
import type {Opened} from '../engine/types.ts';
import {app} from '../page/app.view.ts';
import type {Actions} from './actions.ts';
import {toDump} from './merge.ts';
import {firstPlace} from './select.ts';
import type {Store} from './store.ts';
import {createRounds} from './turns.ts';

/** Draws a report for nobody, unless there is something to draw for somebody. */
export function rehearse(opened: Opened, store: Store, act: Actions): void {
  const nowhere = document.createElement('div');
  const dumps = [toDump(opened, false)];
  const rounds = createRounds();
  let turns = 0;
  const draw = (): void => {
    if (store.state.dumps.length > 0 || store.state.work) return;
    rounds.begin(turns);
    render(app({...store.state, dumps, place: firstPlace(dumps, 0)}, act, rounds), nowhere);
    turns = 1;
    if (rounds.waiting) whenIdle(draw);
  };
  whenIdle(draw);
}

// Not every browser tells when it is idle.
const whenIdle = (call: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(call);
  else setTimeout(call, 50);
};
