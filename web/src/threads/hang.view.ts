// Threads that wait for each other: a drawing of each cycle, and a table with the evidence for each wait.
import './hang.css';
import {html, nothing, svg, type TemplateResult} from 'lit-html';
import {keyed} from 'lit-html/directives/keyed.js';
import type {Actions} from '../app/actions.ts';
import {groupsOf} from '../app/rows.ts';
import {mainThread, type OpenDump, openKey, type State} from '../app/state.ts';
import type {Wait} from '../report.ts';
import {firstRow} from '../stack/stack.ts';
import {counted, visible, visibleRow} from '../text/text.ts';
import {focusOn} from '../widgets/focus.ts';
import {popover, popoverButton} from '../widgets/popover.view.ts';
import {more, rowsShown} from '../widgets/region.view.ts';
import {hangOf, lockName, observed, proof, type Waiter} from './hang.ts';
import {type Arrow, type Drawing, drawing, drawn, type Shape, shapeHeight} from './hang-drawing.ts';
import {unknownDrawing} from './hang-unknown.ts';
import {followed} from './walk.ts';

type Seen = Pick<State, 'opened' | 'layout' | 'lists'>;

export const hang = (state: Seen, dump: OpenDump, act: Actions): TemplateResult | typeof nothing => {
  const found = hangOf(dump.report);
  if (found === null) return nothing;
  const {cycles, waiting, unknown, title, words} = found;
  const all = [...cycles.flat(), ...waiting, ...unknown];
  const key = `${dump.id}.hang`;
  return html`
    <section class="hang" id="hang" tabindex="-1" aria-labelledby="hang-title">
      <div class="region-head">
        <h2 id="hang-title">${title}</h2>
        <span class="quiet">${words}</span>
      </div>
      <div class="hang-body">
        <div class="rings">
          ${drawn(cycles).map(ring => (state.layout.width === 'narrow' || ring.length < 2 ? flow(ring) : graph(state, dump, drawing(ring, waiting), act)))}
          ${state.layout.width === 'narrow' ? nothing : ownerless(state, dump, unknownDrawing(unknown), act)}
        </div>
      <div class="scroll-x" tabindex="0" role="group" aria-label="Waits and their evidence">
        <table class="data blocks hang-table">
          <caption class="visually-hidden">Waits and their evidence</caption>
          <thead>
            <tr><th scope="col">Thread</th><th scope="col">Waits for</th><th scope="col">How it is known</th></tr>
          </thead>
          <tbody>
            ${rowsShown(state, key, all).map(waiter => row(state, dump, waiter, act))}
          </tbody>
        </table>
      </div>
      </div>
      ${others(dump, all.length)}
      ${more(state, key, all.length, act)}
    </section>
  `;
};

// Threads that wait for work are not stuck.
const others = (dump: OpenDump, part: number): TemplateResult | typeof nothing => {
  const rest = (dump.report.hang?.waiting ?? 0) - part;
  return rest <= 0
    ? nothing
    : html`<p class="region-body quiet">${counted(rest, 'other thread')} ${rest === 1 ? 'waits' : 'wait'} for something else and ${rest === 1 ? 'is' : 'are'} no part of this.</p>`;
};

const ownerless = (state: Seen, dump: OpenDump, rows: Drawing | null, act: Actions): TemplateResult | typeof nothing =>
  rows === null
    ? nothing
    : html`${graph(state, dump, rows, act)}
        <p class="legend" aria-hidden="true"><span class="known">read from locks and registers</span><span class="unknown">owner not known</span></p>`;

const graph = (state: Seen, dump: OpenDump, drawn: Drawing, act: Actions): TemplateResult => {
  const {width, height, shapes, arrows} = drawn;
  return html`
    <div class="scroll-x ring-graph" role="group" aria-label="Waits as a graph; arrow keys follow the waits, Enter opens a thread">
      ${keyed(
        dump.id,
        html`<svg
        width=${width + 4}
        height=${height + 4}
        viewBox="-2 -2 ${width + 4} ${height + 4}"
        @focusin=${stopHere}
        @keydown=${(event: KeyboardEvent) => keys(event, state, dump, drawn, act)}
      >
        <defs>
          ${(['cycle', 'behind', 'unknown'] as const).map(tip)}
        </defs>
        <g aria-hidden="true">${arrows.map(line)}</g>
        ${shapes.map((one, i) => shape(state, dump, one, i, act))}
      </svg>`,
      )}
    </div>
  `;
};

// Tab stops at the shape that had the focus last, so that Shift+Tab from the middle leaves the graph. Drawing again keeps it: lit-html sets an attribute only
// when its value changes. For the same reason each dump has a graph of its own: the shape where Tab stops may be missing in the graph of the next dump.
function stopHere({currentTarget, target}: FocusEvent): void {
  if (!(currentTarget instanceof SVGElement) || !(target instanceof SVGElement)) return;
  for (const one of currentTarget.querySelectorAll<SVGElement>('.shape')) one.tabIndex = one === target ? 0 : -1;
}

// Keys of the graph: right and left along the waits and back, up and down through all shapes, Enter into the stack.
function keys(event: KeyboardEvent, state: Seen, dump: OpenDump, {shapes, edges}: Drawing, act: Actions): void {
  if (event.ctrlKey || event.altKey || event.metaKey || !(event.currentTarget instanceof SVGElement)) return;
  const all = [...event.currentTarget.querySelectorAll<SVGElement>('.shape')];
  const at = all.indexOf(document.activeElement as SVGElement);
  const next = followed(edges, all.length, at, event.key);
  const thread = shapes[at]?.thread ?? null;
  if (next !== null) {
    focusOn(all[next]);
  } else if ((event.key === 'Enter' || event.key === ' ') && thread !== null) {
    show(state, dump, thread, act);
    void act.drawn().then(() => document.querySelector<HTMLElement>('tr.frame.selected')?.focus());
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

const tip = (kind: Arrow['kind']): TemplateResult =>
  svg`<marker id="tip-${kind}" class="tip ${kind}" viewBox="0 0 8 8" refX="8" refY="4" markerUnits="userSpaceOnUse" markerWidth="10" markerHeight="10" orient="auto"><path d="M0 0 8 4 0 8Z"></path></marker>` as TemplateResult;

const line = ({kind, points, words, at: [x, y]}: Arrow): TemplateResult =>
  svg`
  <polyline class=${kind} points=${points.map(point => point.join(',')).join(' ')} marker-end="url(#tip-${kind})"></polyline>
  <text class="words ${kind}" x=${x} y=${y}>${words}</text>` as TemplateResult;

// Tab stops at the first shape, until another one gets the focus.
const shape = (
  state: Seen,
  dump: OpenDump,
  {kind, x, y, width, title, detail, thread}: Shape,
  at: number,
  act: Actions,
): TemplateResult => {
  const isLock = kind === 'lock' || kind === 'free-lock';
  return svg`
  <g
    class="shape ${kind}"
    transform="translate(${x} ${y})"
    tabindex=${at === 0 ? 0 : -1}
    role=${thread === null ? 'img' : 'button'}
    aria-label="${title}${detail === '' ? '' : `, ${detail}`}"
    @click=${() => thread !== null && show(state, dump, thread, act)}
  >
    <rect width=${width} height=${shapeHeight} rx=${isLock ? shapeHeight / 2 : 3}></rect>
    <text class="title" x=${isLock ? width / 2 : 10} y="17">${title}</text>
    <text class="detail" x=${isLock ? width / 2 : 10} y="34">${detail}</text>
  </g>` as TemplateResult;
};

// The cycle as one line of text: for narrow pages, and for a thread that waits for itself.
const flow = (ring: readonly Waiter[]): TemplateResult => html`
  <div class="ring-drawing" aria-hidden="true">
    ${ring.map(({thread, wait}) => html`<span class="ring-thread">${threadTitle(thread)}</span><span class="ring-arrow">waits for</span><span class="ring-lock"><code>${lockName(wait)}</code></span><span class="ring-arrow">${wait.holder === 'joined' ? 'which is' : 'held by'}</span>`)}
    <span class="ring-thread again">${ring[0] ? threadTitle(ring[0].thread) : nothing}</span>
  </div>
`;

const threadTitle = ({thread_name, thread_id}: Waiter['thread']): TemplateResult =>
  thread_name ? html`<span><b>${visibleRow(thread_name)}</b> ${thread_id}</span>` : html`<b>${thread_id}</b>`;

// Goes to the thread's stack, and opens the group that it is in.
function show(state: Seen, dump: OpenDump, index: number, act: Actions): void {
  const thread = dump.report.threads?.[index];
  const first = thread && firstRow(thread, null);
  if (first) act.select.row(index, first, 'push');
  const group = groupsOf(dump.report, mainThread(dump.report)).find(({threads}) => threads.includes(index));
  const key = group && openKey(dump, group.threads[0] ?? index, 'group');
  if (key !== undefined && !state.opened.has(key)) act.toggle(key);
}

const row = (state: Seen, dump: OpenDump, {index, thread, wait, stuck}: Waiter, act: Actions): TemplateResult => html`
  <tr class=${stuck ? 'stuck' : ''}>
    <th scope="row"><button class="link tap" @click=${() => show(state, dump, index, act)}>${threadTitle(thread)}</button></th>
    <td class="wide">${visible(wait.text)}</td>
    <td class="wide">${known(`hang-${dump.id}-${index}`, wait)}</td>
  </tr>
`;

/** The observation that names the other thread; a click shows all evidence. */
const known = (id: string, wait: Wait): TemplateResult | typeof nothing => {
  const first = proof(wait);
  if (!first) return nothing;
  const {read, means} = observed(first);
  return html`${popoverButton(id, 'link tap', html`<code>${visibleRow(read)}</code>`)} <span class="quiet">${means}</span> ${popover(id, evidence(wait))}`;
};

/** All evidence of a wait. */
export const evidence = (wait: Wait): TemplateResult => html`
  <p class="claim">Waits for ${visible(wait.text)}</p>
  <ul class="evidence">
    ${(wait.evidence ?? []).map(observed).map(({read, means}) => html`<li><code>${visibleRow(read)}</code>${means === '' ? nothing : html` <span class="quieter">${means}</span>`}</li>`)}
  </ul>
`;
