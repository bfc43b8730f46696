// Every key, its action, and the text of the help sheet: one table, so that keys and help always agree.

export type Action =
  | 'next'
  | 'previous'
  | 'nextThread'
  | 'previousThread'
  | 'inspect'
  | 'back'
  | 'inlined'
  | 'guesses'
  | 'system'
  | 'expand'
  | 'open'
  | 'copyStack'
  | 'copyLink'
  | 'mark'
  | 'share'
  | 'names'
  | 'all'
  | 'help'
  | 'tab1'
  | 'tab2'
  | 'tab3'
  | 'tab4'
  | 'code'
  | 'lines'
  | 'arguments'
  | 'find'
  | 'goto';

export interface Key {
  readonly keys: readonly string[];
  readonly action: Action;
  readonly does: string;
}

export const keys: readonly Key[] = [
  {keys: ['j', 'ArrowDown'], action: 'next', does: 'Next frame or row'},
  {keys: ['k', 'ArrowUp'], action: 'previous', does: 'Previous frame or row'},
  {keys: ['n'], action: 'nextThread', does: 'Next thread'},
  {keys: ['p'], action: 'previousThread', does: 'Previous thread'},
  {keys: ['Enter'], action: 'inspect', does: 'Go to the inspector'},
  {keys: ['Escape'], action: 'back', does: 'Back to the frame; close'},
  {keys: ['1'], action: 'tab1', does: 'Inspector: variables'},
  {keys: ['2'], action: 'tab2', does: 'Inspector: registers'},
  {keys: ['3'], action: 'tab3', does: 'Inspector: stack words'},
  {keys: ['4'], action: 'tab4', does: 'Inspector: evidence'},
  {keys: ['d'], action: 'code', does: 'Source or disassembly'},
  {keys: ['m'], action: 'lines', does: 'More or fewer lines of source'},
  {keys: ['i'], action: 'inlined', does: 'Hide or show inlined calls'},
  {keys: ['a'], action: 'arguments', does: 'Hide or show arguments in rows'},
  {keys: ['h'], action: 'guesses', does: 'Hide or show guesses'},
  {keys: ['f'], action: 'system', does: 'Hide or show system frames'},
  {keys: ['r'], action: 'names', does: 'Raw or demangled names'},
  {keys: ['x'], action: 'expand', does: 'Open or close all threads'},
  {keys: ['/'], action: 'find', does: 'Find anything (Ctrl+K, too)'},
  {keys: ['g'], action: 'goto', does: 'Go to an address'},
  {keys: ['t'], action: 'all', does: 'All dumps'},
  {keys: [' '], action: 'mark', does: 'Mark a dump of the table for Compare'},
  {keys: ['o'], action: 'open', does: 'Add files'},
  {keys: ['y'], action: 'copyStack', does: 'Copy this stack'},
  {keys: ['l'], action: 'copyLink', does: 'Copy a link to this place'},
  {keys: ['s'], action: 'share', does: 'Share: copy, download, make a capsule'},
  {keys: ['?'], action: 'help', does: 'All keys'},
];

/** The parts of a key press that matter here. */
export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/** The element that has the focus: a field takes all keys, a control takes Enter and the arrows. */
export type Focus = 'field' | 'control' | 'rows' | 'page';

const ofControls: readonly string[] = ['Enter', ' ', 'ArrowDown', 'ArrowUp'];

/** The action of a key press; null if the key is not handled here. */
export function actionOf(press: Press, focus: Focus, singleKeys: boolean): Action | null {
  if (press.key === 'k' && (press.ctrlKey || press.metaKey) && !press.altKey) return 'find';
  if (press.ctrlKey || press.altKey || press.metaKey) return null;
  const found = keys.find(({keys: names}) => names.includes(press.key));
  if (!found) return null;
  if (found.action === 'back') return 'back';
  if (focus === 'field') return null;
  // Arrows and space scroll the page, and Enter and space press buttons, unless a row has the focus.
  if (ofControls.includes(press.key)) return focus === 'rows' ? found.action : null;
  return singleKeys ? found.action : null;
}
