// Draws the page: all of it, or part after part over several frames, with the rows that are being read in their places.
import {render} from 'lit-html';
import {app} from '../page/app.view.ts';
import {awaitsSymbols} from '../report.ts';
import type {Actions} from './actions.ts';
import {currentDump, type State} from './state.ts';
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
    if (rounds.waiting) nextRound(awaitsSymbols(currentDump(now)?.report) ? 'later' : 'soon');
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
