// The search over a whole report: one field, and below it the results, which the arrow keys select.
import './find.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {selected} from '../app/selected.ts';
import {currentDump, type State} from '../app/state.ts';
import {visible} from '../text/text.ts';
import {dialog} from '../widgets/popover.view.ts';
import {nameInRow} from '../widgets/text.view.ts';
import {type Found, findings, type Target} from './find.ts';

export const find = (state: State, act: Actions): TemplateResult => {
  const dump = currentDump(state);
  const {query, at} = state.find ?? {query: '', at: 0};
  const all = dump && state.find ? findings(dump.report, selected(state)?.frame ?? null, query) : [];
  const now = Math.min(at, all.length - 1);
  return html`
    <dialog class="find" id="find" aria-label="Find anything" @close=${() => closed(act)} @click=${outside}>
      <input
        class="field"
        id="find-field"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="find-list"
        aria-activedescendant=${now >= 0 ? `find-${now}` : nothing}
        aria-label="Function, module, thread, address, text in memory, command"
        placeholder="Function, module, thread, address, text in memory, command"
        autocomplete="off"
        spellcheck="false"
        .value=${query}
        @input=${(e: Event) => e.currentTarget instanceof HTMLInputElement && act.find({query: e.currentTarget.value, at: 0})}
        @keydown=${(event: KeyboardEvent) => keys(event, all, now, query, act)}
      />
      <ul role="listbox" id="find-list" aria-label="Found">
        ${all.map((found, i) => option(found, i, i === now, act))}
      </ul>
    </dialog>
  `;
};

const option = ({label, detail, target}: Found, i: number, isNow: boolean, act: Actions): TemplateResult => html`
  <li role="option" id="find-${i}" aria-selected=${isNow} @click=${() => go(target, act)}>
    ${nameInRow(label)} <span class="quiet">${visible(detail)}</span>
  </li>
`;

function keys(event: KeyboardEvent, all: readonly Found[], now: number, query: string, act: Actions): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const found = all[now];
  if (by !== 0) {
    const at = (now + by + all.length) % Math.max(1, all.length);
    act.find({query, at});
    void act.drawn().then(() => document.getElementById(`find-${at}`)?.scrollIntoView({block: 'nearest'}));
  } else if (event.key === 'Enter' && found) go(found.target, act);
  else return;
  event.preventDefault();
}

// The close event of a dialog is delayed: the dialog may be open again by then.
function closed(act: Actions): void {
  if (!dialog('find')?.open) act.find(null);
}

/** Opens the search, with the focus in its field. */
export function openFind(act: Actions): void {
  act.find({query: '', at: 0});
  dialog('find')?.showModal();
  document.getElementById('find-field')?.focus();
}

// A click on the dialog itself is outside of its content.
function outside(event: MouseEvent): void {
  if (event.target === event.currentTarget) dialog('find')?.close();
}

function go(target: Target, act: Actions): void {
  dialog('find')?.close();
  if (target.kind === 'function' || target.kind === 'thread') act.showThread(target.thread, target.row);
  else if (target.kind === 'module') act.showModule(target.name);
  else if (target.kind === 'address') act.bytes.show(target.address);
  else if (target.kind === 'memory') searchMemory(target.text, act);
  else if (target.kind === 'global') searchGlobals(target.name, act);
  // A command does what its key does, with the focus of before.
  else document.dispatchEvent(new KeyboardEvent('keydown', {key: target.key, bubbles: true}));
}

function searchMemory(text: string, act: Actions): void {
  act.bytes.search(text, false);
  act.scrollTo('memory');
}

function searchGlobals(name: string, act: Actions): void {
  act.select.tab('variables');
  void act.variables.find(name);
}
