// Keys of the tree of variables, and what they do to its rows.
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import {parse} from '../text/hex.ts';
import {showBeside} from '../widgets/popover.view.ts';
import {whyID} from './evidence.view.ts';
import {addressOf, type MoreRow, type TreeRow, type VariableRow, wholeValue} from './variables.ts';

type Seen = Pick<State, 'settings'>;

/** The id of a row's element. */
export const elementID = (row: TreeRow): string => `variable-${row.key}${row.kind === 'more' ? '.more' : ''}`;

/** Shows more elements. */
export const showMore = (row: MoreRow, act: Actions): void => {
  if (row.next > 0) act.variables.more(row.key, row.next, row.unread);
};

/** Shows the evidence of a value beside its row. */
export function showWhy(row: VariableRow, act: Actions): void {
  act.variables.why(row.key, () => {
    const at = document.getElementById(elementID(row));
    if (at) showBeside(whyID, at);
  });
}

// The pattern of tree grids: arrows move, open and close, Enter shows the evidence. Ctrl-C copies the value, g goes to the memory.
export function keys(event: KeyboardEvent, rows: readonly TreeRow[], state: Seen, act: Actions): void {
  const at = event.target;
  const panel = event.currentTarget;
  if (!(at instanceof HTMLElement) || !(panel instanceof HTMLElement) || event.altKey) return;
  const row = rows.find(r => elementID(r) === at.id);
  if (!row) return;
  const go = (to: TreeRow | undefined): boolean => {
    if (to) document.getElementById(elementID(to))?.focus();
    return true;
  };
  const copied =
    (event.ctrlKey || event.metaKey) && event.key === 'c' && row.kind === 'variable' && copyValue(row, act);
  const done =
    event.ctrlKey || event.metaKey
      ? copied
      : moved(event.key, row, rows, go) || did(event.key, row, rows, go, state, act);
  if (done) event.preventDefault();
}

type Go = (to: TreeRow | undefined) => boolean;

function moved(key: string, row: TreeRow, rows: readonly TreeRow[], go: Go): boolean {
  const to = {ArrowDown: rows.indexOf(row) + 1, ArrowUp: rows.indexOf(row) - 1, Home: 0, End: rows.length - 1}[key];
  return to !== undefined && go(rows[to]);
}

function did(key: string, row: TreeRow, rows: readonly TreeRow[], go: Go, state: Seen, act: Actions): boolean {
  if (row.kind === 'more') {
    if (key === 'Enter') showMore(row, act);
    return key === 'Enter';
  }
  switch (key) {
    case 'ArrowRight':
      if (row.open) return go(rows[rows.indexOf(row) + 1]);
      if (row.opens) act.variables.toggle(row.key);
      return true;
    case 'ArrowLeft':
      if (!row.open) return go(rows.find(r => r.kind === 'variable' && r.key === parentOf(row.key)));
      act.variables.toggle(row.key);
      return true;
    case 'Enter':
      showWhy(row, act);
      return true;
    case 'g':
      return state.settings.singleKeys && goToMemory(row, act);
  }
  return false;
}

const parentOf = (key: string): string => key.replace(/\.[^.]*$/, '');

function copyValue(row: VariableRow, act: Actions): boolean {
  if (String(getSelection() ?? '') !== '') return false; // the browser copies what is selected
  act.copy(wholeValue(row.variable), 'Value copied');
  return true;
}

function goToMemory(row: VariableRow, act: Actions): boolean {
  const address = parse(addressOf(row));
  if (address !== null) act.bytes.show(address);
  return address !== null;
}
