// The inspector of the selected frame: its function, code, registers, stack words, and the evidence for it.

import {html, nothing, type TemplateResult} from 'lit-html';
import {ref} from 'lit-html/directives/ref.js';
import type {Actions} from '../app/actions.ts';
import {isSelected} from '../app/select.ts';
import {codeKey, type Selected, selected, shownTab, subject, tabsOf} from '../app/selected.ts';
import {type OpenDump, type State, sheetKey} from '../app/state.ts';
import type {Frame} from '../report.ts';
import {type FrameRow, frameRows, scanned} from '../stack/frames.ts';
import {why} from '../stack/why.view.ts';
import {brief, plus} from '../text/hex.ts';
import {bare, nameDoubt, tilde} from '../text/names.ts';
import {fileLine, visible} from '../text/text.ts';
import {variablesPanel} from '../variables/variables.view.ts';
import {code} from './code.view.ts';
import {registersPanel} from './registers.view.ts';
import {source} from './source.view.ts';
import type {Panel} from './state.ts';
import {words} from './words.view.ts';
import './inspector.css';
import {doubt, foldedName, mark, place, rowName} from '../stack/names.ts';
import {doubtful} from '../widgets/text.view.ts';

export type InspectorState = Pick<
  State,
  'dumps' | 'place' | 'pointed' | 'opened' | 'settings' | 'layout' | 'lists' | 'stack' | 'frame' | 'variables'
>;

/** The selected frame; nothing where none is. */
export const inspector = (state: InspectorState, dump: OpenDump, act: Actions): TemplateResult | typeof nothing => {
  const found = selected(state);
  const row = found && frameRows(found.thread, found.thread.crashed).find(r => isSelected(state.place, r));
  if (!found || !row || found.dump !== dump) return nothing;
  const tabs = tabsOf(found);
  const wanted = shownTab(state, dump.report, found.frame);
  const tab = (tabs.find(({tab}) => tab === wanted) ?? tabs[0])?.tab;
  return html`
    <aside class="inspector" id="inspector" tabindex="-1" aria-label="Frame ${row.number}, ${mark(row)}${visible(rowName(row))}" ${ref(watchHeight)}>
      ${head(row, found, state, act)}
      ${ownCode(state, found, row, act)}
      ${
        tab === undefined
          ? nothing
          : html`<div class="tab-line">${tablist(tabs, tab, act)}</div>
            <div class="panels" role="tabpanel" id="panels" aria-labelledby="tab-${tab}" tabindex="0">${panels(state, found, row, tab, act)}</div>`
      }
    </aside>
  `;
};

// An inspector that is taller than the window sticks to the window's end, so that the wheel scrolls the page alone.
function watchHeight(element: Element | undefined): void {
  if (!(element instanceof HTMLElement)) return;
  new ResizeObserver(() => element.style.setProperty('--tall', `${element.offsetHeight}px`)).observe(element);
}

const head = (row: FrameRow, found: Selected, state: InspectorState, act: Actions): TemplateResult => {
  const {file, line} = place(row);
  const {frame} = row;
  return html`
    <div class="inspector-head">
      <h2>
        ${doubtful(doubt(row))}${named('name', rowName(row))} ${file === null ? nothing : named('path', fileLine(file, line))}
      </h2>
      ${state.layout.width === 'narrow' ? steps(act) : nothing}
      <p class="where">
        <span>Frame ${row.number}${inlinedInto(row, found)}</span>
        ${frame.module !== null && frame.module_offset !== null ? html`${named('at', plus(frame.module, frame.module_offset))}` : nothing}
        <code>${brief(frame.offset)}</code>
        ${row.inline === null ? nearest(frame) : nothing}
        ${frame.folded_name === true && row.inline === null ? html`<span class="doubt">${tilde}${foldedName}</span>` : nothing}
        ${frame.clone !== undefined && row.inline === null ? html`<span class="doubt">${cloned(frame.clone)}</span>` : nothing}
        ${frame.symbols_forced ? html`<span class="doubt">${tilde}${nameDoubt('forced')}</span>` : nothing}
      </p>
    </div>
  `;
};

/** How the name of the nearest symbol stands to the address. */
const nearest = ({name_certainty: certainty, after}: Frame): TemplateResult | typeof nothing => {
  if (certainty === 'nearest') return html`<span class="doubt">${tilde}${nameDoubt(certainty)}</span>`;
  return after
    ? html`<span class="doubt">no name: behind the end of <code>${visible(after.name)}</code></span>`
    : nothing;
};

/** A part or a copy of the function, as gdb and c++filt name it, and how the compiler made it. */
const cloned = (suffix: string): string => {
  const kind = kinds.find(([mark]) => suffix.includes(mark));
  return `[clone ${visible(suffix)}]${kind ? ` ${kind[1]}` : ''}`;
};

const kinds: readonly (readonly [string, string])[] = [
  ['.cold', 'seldom executed part of the function'],
  ['.part.', 'part of the function'],
  ['.isra.', 'copy with other arguments'],
  ['.constprop.', 'copy with constant arguments'],
];

// Content that is longer than its box scrolls there, also by keys.
const long = 300;

const named = (kind: 'name' | 'path' | 'at', text: string): TemplateResult =>
  html`<code class=${kind} tabindex=${text.length > long ? 0 : nothing}>${visible(text)}</code>`;

const steps = (act: Actions): TemplateResult => html`
  <span class="steps">
    <button class="button plain" aria-label="Previous frame" @click=${() => act.select.move(-1)}>‹</button>
    <button class="button plain" aria-label="Next frame" @click=${() => act.select.move(1)}>›</button>
    <button class="button plain" aria-label="Close" @click=${() => act.toggle(sheetKey)}>✕</button>
  </span>
`;

function inlinedInto(row: FrameRow, {thread}: Selected): TemplateResult | string {
  if (row.inline === null) return scanned(row.frame) ? ', found by scanning' : '';
  const physical = frameRows(thread, false).find(r => r.frame === row.frame && r.inline === null);
  return physical
    ? html`, inlined into frame ${physical.number} ${mark(physical)}<code>${visible(bare(rowName(physical)))}</code>`
    : ', inlined';
}

const tablist = (tabs: ReturnType<typeof tabsOf>, tab: Panel, act: Actions): TemplateResult => html`
  <div class="tabs" role="tablist" aria-label="About this frame" @keydown=${arrows}>
    ${tabs.map(
      t => html`<button
        role="tab"
        id="tab-${t.tab}"
        aria-selected=${t.tab === tab}
        aria-controls="panels"
        tabindex=${t.tab === tab ? 0 : -1}
        @click=${() => act.select.tab(t.tab)}
      >
        ${t.title}
      </button>`,
    )}
  </div>
`;

// The pattern of tabs: arrows go round and choose, Home and End go to the ends.
function arrows(event: KeyboardEvent): void {
  const list = event.currentTarget;
  if (!(list instanceof HTMLElement)) return;
  const all = [...list.querySelectorAll<HTMLElement>('[role=tab]')];
  const at = all.findIndex(tab => tab.matches(':focus'));
  const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1}[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const tab = all.at(to % all.length);
  tab?.click();
  tab?.focus();
}

function panels(state: InspectorState, found: Selected, row: FrameRow, tab: Panel, act: Actions): TemplateResult {
  switch (tab) {
    case 'variables':
      return variablesPanel(state, found, row, act);
    case 'registers':
      return registersPanel(found, act);
    case 'stack':
      return words(state, found, act);
    case 'why':
      return why(state, found, act);
  }
}

// The code of another frame than that of the crash panel.
function ownCode(state: InspectorState, found: Selected, row: FrameRow, act: Actions): TemplateResult {
  const first = found.dump.report.verdict.crashed ? subject(found.dump) : null;
  if (first?.row.number === row.number && first.thread === found.thread) return html``;
  const key = codeKey(found.dump);
  const shown = state.opened.has(key);
  return html`
    ${source(state, row, {around: 2}, act)} ${shown ? code(state, found) : nothing}
    <button class="link tap flip" aria-keyshortcuts="d" @click=${() => act.toggle(key)}>${shown ? 'Hide instructions' : 'Disassembly'}</button>
  `;
}
