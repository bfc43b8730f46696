// The inspector of the selected frame: its function, code, registers, stack words, and the evidence
// for it.

import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {isSelected} from '../app/select.ts';
import {type Selected, selected, shownTab, shownTabs} from '../app/selected.ts';
import type {OpenDump, State} from '../app/state.ts';
import type {Frame} from '../report.ts';
import {rowName} from '../share/copy.ts';
import {doubt, type FrameRow, frameRows, mark, place, scanned} from '../stack/frames.ts';
import {why} from '../stack/why.view.ts';
import {brief} from '../text/hex.ts';
import {bare} from '../text/names.ts';
import {capital, visible} from '../text/text.ts';
import {showsVariables, variablesPanel} from '../variables/variables.view.ts';
import {code} from './code.view.ts';
import {registersPanel} from './registers.view.ts';
import {source} from './source.view.ts';
import type {Panel, tabs} from './tabs.ts';
import {words} from './words.view.ts';
import './inspector.css';

/** What these views read of the state. */
export type InspectorState = Pick<
  State,
  'dumps' | 'place' | 'opened' | 'settings' | 'layout' | 'lists' | 'stack' | 'frame' | 'variables'
>;

/** The selected frame; nothing where none is. */
export const inspector = (state: InspectorState, dump: OpenDump, act: Actions): TemplateResult | typeof nothing => {
  const found = selected(state);
  const row = found && frameRows(found.thread, found.thread.crashed).find(r => isSelected(state.place, r));
  if (!found || !row || found.dump !== dump) return nothing;
  const shown = shownTabs(state);
  const tab = shownTab(state, dump.report, found.frame);
  return html`
    <aside class="inspector" id="inspector" tabindex="-1" aria-label="Frame ${row.number}, ${mark(row)}${visible(rowName(row))}">
      ${head(row, found, state, act)}
      <div class="tab-line">
        ${tablist(shown, tab, act)}
        <button class="button plain" aria-keyshortcuts="l" @click=${act.copyLink}>Copy link</button>
      </div>
      <div class="panels" role="tabpanel" id="panels" aria-labelledby="tab-${tab}" tabindex="0">${panels(state, found, row, tab, act)}</div>
    </aside>
  `;
};

const head = (row: FrameRow, found: Selected, state: InspectorState, act: Actions): TemplateResult => {
  const {file, line} = place(row);
  const {frame} = row;
  return html`
    <div class="inspector-head">
      <h2>
        ${doubt(row) === null ? nothing : html`<span class="tilde" title=${capital(doubt(row) ?? '')}>~</span> `}${named('name', rowName(row))} ${file === null ? nothing : named('path', line === null ? file : `${file}:${line}`)}
      </h2>
      ${state.layout.width === 'narrow' ? steps(act) : nothing}
      <p class="where">
        <span>Frame ${row.number}${inlinedInto(row, found)}</span>
        ${frame.module !== null && frame.module_offset !== null ? html`${named('at', `${frame.module} + ${brief(frame.module_offset)}`)}` : nothing}
        <code>${brief(frame.offset)}</code>
        ${row.inline === null ? nearest(frame) : nothing}
        ${frame.folded_name === true && row.inline === null ? html`<span class="doubt">~ identical code folding, may be another function</span>` : nothing}
        ${frame.clone !== undefined && row.inline === null ? html`<span class="doubt">${cloned(frame.clone)}</span>` : nothing}
        ${frame.symbols_forced ? html`<span class="doubt">~ names from mismatched symbols</span>` : nothing}
      </p>
    </div>
  `;
};

/** How the name of the nearest symbol stands to the address. */
const nearest = ({name_certainty: certainty, after}: Frame): TemplateResult | typeof nothing => {
  if (certainty === 'nearest') return html`<span class="doubt">~ nearest symbol, may be another function</span>`;
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
    <button class="button" aria-label="Previous frame" @click=${() => act.select.move(-1)}>↑</button>
    <button class="button" aria-label="Next frame" @click=${() => act.select.move(1)}>↓</button>
  </span>
`;

function inlinedInto(row: FrameRow, {thread}: Selected): TemplateResult | string {
  if (row.inline === null) return scanned(row.frame) ? ', found by scanning' : '';
  const physical = frameRows(thread, false).find(r => r.frame === row.frame && r.inline === null);
  return physical
    ? html`, inlined into frame ${physical.number} ${mark(physical)}<code>${visible(bare(rowName(physical)))}</code>`
    : ', inlined';
}

const tablist = (shown: typeof tabs, tab: Panel, act: Actions): TemplateResult => html`
  <div class="tabs" role="tablist" aria-label="About this frame" @keydown=${arrows}>
    ${shown.map(
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
  const all = {
    variables: variablesPanel(state, found, row, act),
    code: html`${source(state, row, act)} ${code(state, found)}`,
    registers: registersPanel(found, tab !== 'all', act),
    stack: words(state, found, act),
    why: why(state, found, act),
  };
  if (tab !== 'all') return all[tab];
  // The tab of variables says why there are none; the tab with everything begins with the source.
  const variables = showsVariables(state, found, row) ? all.variables : nothing;
  // For a guessed frame, the evidence comes first.
  if (scanned(found.frame)) return html`${all.why} ${all.code} ${all.stack} ${all.registers} ${variables}`;
  return html`${variables} ${all.code} ${all.registers} ${all.stack} ${all.why}`;
}
