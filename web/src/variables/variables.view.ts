// Arguments and locals of the selected frame, as a tree. A row shows where its value was, and opens to its members and evidence.
// Optimized-out values and values that were not captured look different, and a legend explains both.
import type {Selected} from '../app/selected.ts';
import './variables.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import {globalsKey, valuesKey} from '../app/variables.ts';
import {touchedBy} from '../memory/touched.ts';
import type {Variable} from '../report.ts';
import type {FrameRow} from '../stack/frames.ts';
import {parse} from '../text/hex.ts';
import {counted, thin, visibleRow} from '../text/text.ts';
import {nameInRow, sentenceWithCode} from '../widgets/text.view.ts';
import {evidence} from './evidence.view.ts';
import {elementID, keys, showMore, showWhy} from './keys.view.ts';
import {layoutBar} from './layout.view.ts';
import type {GlobalValues} from './state.ts';
import {
  blockText,
  blockTip,
  briefValue,
  firstElements,
  type Group,
  globalScope,
  globalsNote,
  groups,
  lackOf,
  type MoreRow,
  noneAfter,
  noneBefore,
  ofRow,
  scopeOf,
  type TreeRow,
  type VariableRow,
  valueText,
  whereText,
} from './variables.ts';

type Seen = Pick<State, 'settings' | 'lists' | 'variables'>;

export const variablesPanel = (state: Seen, found: Selected, row: FrameRow, act: Actions): TemplateResult => html`
  <section
    class="panel variables"
    id="variables"
    @keydown=${(event: KeyboardEvent) =>
      keys(
        event,
        treeOf(state, found, row).flatMap(group => group.rows),
        state,
        act,
      )}
  >
    ${body(state, found, row, act)}
  </section>
`;

function body(state: Seen, found: Selected, row: FrameRow, act: Actions): TemplateResult {
  const own = ownTree(state, found, row);
  const globals = globalTree(state, found);
  const rows = [...own, ...globals].flatMap(group => group.rows);
  const drawn = (group: Group, i: number): TemplateResult => groupOf(group, i === 0, rows, state, found, act);
  return html`
    ${own.length > 0 ? own.map(drawn) : noOwn(state, found, row)} ${searched(state, found, act)} ${globals.map(drawn)}
    ${legend(rows)} ${evidence(rows, state, found, row, act)}
  `;
}

/** Why there are no arguments and locals. */
function noOwn(state: Seen, found: Selected, row: FrameRow): TemplateResult {
  const none = noneBefore(found.dump.report, found.frame);
  if (none !== null) return empty(none);
  const answer = state.variables.values.get(valuesKey(found))?.answer;
  if (!answer || answer.state === 'waiting')
    return html`<h3>Variables</h3><p class="reading" role="status"><span class="visually-hidden">Reading the variables</span></p>`;
  if (answer.state === 'failed') return empty(answer.why);
  return empty(noneAfter(answer.value, row));
}

/** What the search for global variables found; Find starts it. */
function searched(state: Seen, found: Selected, act: Actions): TemplateResult {
  const last = lastSearch(state, found);
  const words =
    last?.answer.state === 'waiting'
      ? `Looking for \`${last.name}\``
      : last?.answer.state === 'failed'
        ? last.answer.why
        : last && (globalsNote(last.name, last.answer.value) ?? `Global variables by the name \`${last.name}\``);
  return html`<p class="quieter globals-note" role="status">${words ? html`${sentenceWithCode(words)} <button class="link tap" @click=${() => act.variables.find('')}>Clear</button>` : nothing}</p>`;
}

function lastSearch(state: Seen, found: Selected): GlobalValues | undefined {
  const key = globalsKey(found);
  return key === null ? undefined : state.variables.globals.get(key);
}

const empty = (words: string): TemplateResult =>
  html`<h3>Variables</h3><p class="quieter">${sentenceWithCode(words)}</p>`;

/** The tree as it is open now. */
const treeOf = (state: Seen, found: Selected, row: FrameRow): Group[] => [
  ...ownTree(state, found, row),
  ...globalTree(state, found),
];

/** Arguments and locals. */
function ownTree(state: Seen, found: Selected, row: FrameRow): Group[] {
  const answer = state.variables.values.get(valuesKey(found))?.answer;
  if (answer?.state !== 'done' || noneBefore(found.dump.report, found.frame) !== null) return [];
  return opened(state, found, ofRow(answer.value, row), scopeOf(row));
}

/** The global variables that the search found. */
function globalTree(state: Seen, found: Selected): Group[] {
  const answer = lastSearch(state, found)?.answer;
  return answer?.state === 'done' ? opened(state, found, answer.value.variables, globalScope) : [];
}

function opened(
  state: Seen,
  found: Selected,
  variables: readonly Variable[],
  scope: number | typeof globalScope,
): Group[] {
  const key = (at: string): string => `${valuesKey(found)}/${at}`;
  return groups(
    variables,
    scope,
    at => state.variables.open.has(key(at)),
    at => state.lists.shown.get(key(at)) ?? firstElements,
  );
}

const groupOf = (
  group: Group,
  first: boolean,
  all: readonly TreeRow[],
  state: Seen,
  found: Selected,
  act: Actions,
): TemplateResult => html`
  <h3>${group.title}<span class="quiet">${thin(group.count)}</span>${first ? html`<span class="quiet where-head" aria-hidden="true">Where it was</span>` : nothing}</h3>
  <div class="tree" role="treegrid" aria-label=${group.title} aria-colcount="4">
    ${group.rows.map(row => (row.kind === 'more' ? more(row, act) : rowOf(row, stopOf(all, state, found) === row, touchedBy(found.dump.report), act)))}
  </div>
`;

// One row takes the tab stop: the one that had the focus last, or the first.
function stopOf(all: readonly TreeRow[], state: Seen, found: Selected): TreeRow | undefined {
  const at = all.find(row => row.kind === 'variable' && `${valuesKey(found)}/${row.key}` === state.variables.row);
  return at ?? all[0];
}

const rowOf = (row: VariableRow, stop: boolean, touched: readonly bigint[], act: Actions): TemplateResult => html`
  <div
    class=${!row.opens && touched.includes(parse(row.variable.address) ?? -1n) ? 'variable touched' : 'variable'}
    role="row"
    id=${elementID(row)}
    tabindex=${stop ? 0 : -1}
    aria-level=${row.level}
    aria-posinset=${row.at}
    aria-setsize=${row.of}
    aria-expanded=${row.opens ? row.open : nothing}
    @focus=${() => act.variables.focus(row.key)}
    @click=${(event: MouseEvent) => click(event, row, act)}
  >
    <span class="name" role="rowheader"><span class="twisty" aria-hidden="true">${row.opens ? (row.open ? '▾' : '▸') : ''}</span>${visibleRow(row.variable.name)}${block(row)}</span>
    <span class="type cut" role="gridcell" title=${title(row.variable.type)}>${nameInRow(row.variable.type)}</span>
    <span class="value" role="gridcell">${value(row)}</span>
    <span class="where" role="gridcell">${where(row, act)}</span>
  </div>
  ${row.open ? layoutBar(row.variable, touched) : nothing}
`;

// Variables of one name differ by their blocks.
function block(row: VariableRow): TemplateResult | typeof nothing {
  const words = [blockText(row), row.variable.hidden ? 'hidden' : null].filter(text => text !== null);
  return words.length === 0
    ? nothing
    : html` <span class="quiet block" title=${blockTip(row) ?? nothing}>${words.join(', ')}</span>`;
}

const title = (text: string): unknown => (text.length > 12 ? visibleRow(text) : nothing);

function value(row: VariableRow): TemplateResult {
  const {variable} = row;
  const lack = lackOf(variable);
  const text = valueText(variable);
  const said =
    text === null ? nothing : html`<code class="cut" title=${title(text)}>${visibleRow(briefValue(text))}</code>`;
  if (!lack) return html`${said}`;
  // For missing memory the address suffices; the legend explains optimized-out values.
  const isExplained = variable.state === 'optimized_out' || (variable.state === 'not_captured' && text !== null);
  const why =
    isExplained || variable.why === null
      ? nothing
      : html`<span class="quiet cut" title=${title(variable.why)}>${visibleRow(variable.why)}</span>`;
  return html`${said} <span class="lack ${lack.style}"><span aria-hidden="true">${lack.glyph}</span> ${lack.words}</span>${why}`;
}

const where = (row: VariableRow, act: Actions): TemplateResult =>
  row.level > 1
    ? html`<span class="quiet">${whereText(row)}</span>`
    : html`<button class="link cut" tabindex="-1" title="Why this value" aria-label="${visibleRow(whereText(row))}: why this value of ${visibleRow(row.variable.name)}" @click=${() => showWhy(row, act)}>${visibleRow(whereText(row))}</button>`;

const more = (row: MoreRow, act: Actions): TemplateResult => html`
  <div class="variable more" role="row" tabindex="-1" id=${elementID(row)} aria-level=${row.level}>
    <span role="gridcell" class="name">
      ${
        row.next === 0
          ? html`<span class="quiet">${counted(row.left, 'more element')}, not read</span>`
          : html`<button class="link tap" tabindex="-1" @click=${() => showMore(row, act)}>Show ${thin(Math.min(row.left, row.next - row.shown))} more of ${thin(row.shown + row.left)}</button>`
      }
    </span>
  </div>
`;

function click(event: MouseEvent, row: VariableRow, act: Actions): void {
  if (event.target instanceof Element && event.target.closest('button')) return;
  if (String(getSelection() ?? '') !== '') return; // the user selects text, which must not move
  if (row.opens) act.variables.toggle(row.key);
}

// The legend of the two states that are easily confused, shown while one of them is in view.
const legends = [
  ['optimized_out', 'the compiler kept no copy, so no dump would have it'],
  ['not_captured', 'it has an address, but this dump lacks that memory'],
] as const;

function legend(rows: readonly TreeRow[]): TemplateResult | typeof nothing {
  const seen = rows.flatMap(row => (row.kind === 'variable' ? [row.variable] : []));
  const lines = legends.flatMap(([state, words]) => {
    const lack = seen.map(v => (v.state === state ? lackOf(v) : null)).find(l => l !== null);
    return lack
      ? [
          html`<span class="legend-line"><span class="lack ${lack.style}"><span aria-hidden="true">${lack.glyph}</span> ${lack.words}</span> <span>${words}</span></span>`,
        ]
      : [];
  });
  return lines.length === 0 ? nothing : html`<p class="legend">${lines}</p>`;
}
