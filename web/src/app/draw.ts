// Draws the page: all of it, or part after part over several frames, with the rows that are being read in their places. And warms its views up.
import {render} from 'lit-html';
import type {Opened} from '../engine/types.ts';
import {app} from '../page/app.view.ts';
import {awaitsSymbols} from '../report.ts';
import type {Actions} from './actions.ts';
import {toDump} from './merge.ts';
import {firstPlace} from './select.ts';
import {currentDump, type State} from './state.ts';
import type {Store} from './store.ts';
import {createPace, createRounds} from './turns.ts';

/** Draws the state into root; again calls it back for the parts that wait for their turn. */
export function createDraw(
  root: HTMLElement,
  act: () => Actions,
  again: () => void,
): (now: State, before: State) => void {
  let turns = 0;
  const rounds = createRounds();
  const nextRound = createPace(() => {
    turns = 1;
    again();
  });
  return (now, before) => {
    // Reading a row's position costs a layout, so it is read only if the row may move.
    const row = now.dumps === before.dumps ? null : selectedTop();
    rounds.begin(turns);
    turns = 0;
    render(app(now, act(), rounds), root);
    document.getElementById('main')?.setAttribute('aria-busy', String(rounds.waiting));
    // Drawing takes time from the workers that read symbols, and most parts would be drawn twice.
    if (rounds.waiting) nextRound(awaitsSymbols(currentDump(now)?.report) ? 'deferred' : 'soon');
    if (before.place?.dump !== now.place?.dump || before.view !== now.view) inFrame(arrive);
    else if (row) inFrame(() => keepInPlace(row));
  };
}

// Focus and scrolling need a layout, which the frame computes anyway.
function inFrame(call: () => void): void {
  if (document.hidden) call();
  else requestAnimationFrame(call);
}

// If the user has moved on by keys meanwhile, the focus stays there.
function arrive(): void {
  const at = document.activeElement;
  scrollTo({top: 0});
  if (!at?.closest('main')) document.getElementById('title')?.focus({preventScroll: true});
}

// Rows that symbols add must not move the rows that the user is reading.
function keepInPlace(row: {id: string; top: number}): void {
  const now = document.getElementById(row.id)?.getBoundingClientRect().top;
  if (now !== undefined && scrollY > 0) scrollBy({top: now - row.top, behavior: 'instant'});
}

function selectedTop(): {id: string; top: number} | null {
  const row = document.querySelector('tr.frame.selected');
  return row && {id: row.id, top: row.getBoundingClientRect().top};
}

// The first drawing of a report takes three times as long as the next one, because the templates are parsed and the browser compiles the code. So while the
// page waits for the first dump, it renders the example off-screen, into an element outside of the document, one part at a time.

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
