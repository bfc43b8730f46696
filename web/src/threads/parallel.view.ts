// Parallel stacks: all threads as one tree over the whole width, callers on the left. A box is what its threads have in common.
import './parallel.css';
import {html, nothing, svg, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import type {Report, Thread} from '../report.ts';
import {rowName} from '../share/copy.ts';
import {mark, placeText} from '../stack/frames.ts';
import {memo} from '../text/maps.ts';
import {atEnd} from '../text/names.ts';
import {counted, visible} from '../text/text.ts';
import {searchField} from '../widgets/field.view.ts';
import {focusOn, onPress} from '../widgets/focus.ts';
import {nameInRow} from '../widgets/text.view.ts';
import {nameRuns} from './names.ts';
import {boxWords, parallel} from './parallel.ts';
import {joinsGuess, lineHeight, type Tree, type TreeBox, tree} from './tree.ts';
import {neighbour, zoomed} from './walk.ts';

type Seen = Pick<State, 'layout' | 'stack' | 'threads'>;

const treeOf = memo(
  (report: Report, system: boolean, room: number | null): Tree => tree(parallel(report.threads ?? []), system, room),
);

// On a phone the canvas has a margin of 12 px on each side.
const roomOf = ({layout: {width, across}}: Seen): number | null => (width === 'narrow' ? across - 24 : null);

/** All stacks of a dump, in place of its report. */
export const parallelView = (state: Seen, dump: OpenDump, act: Actions): TemplateResult => {
  const drawn = treeOf(dump.report, state.stack.system, roomOf(state));
  const hits = hitsOf(drawn, state.threads.parallel.query);
  const box = drawn.boxes[state.threads.parallel.box] ?? drawn.boxes[0];
  return html`
    <section class="parallel" id="crash" aria-labelledby="parallel-title" tabindex="-1">
      ${toolbar(state, dump, drawn, hits, act)}
      <p class="direction" aria-hidden="true">${direction(drawn)}</p>
      ${canvas(state, dump, drawn, hits, act)}
      ${box ? strip(box, dump, act) : nothing}
    </section>
  `;
};

const direction = ({indented}: Tree): TemplateResult =>
  indented
    ? html`<span>Outermost calls first; what they call stands below, indented</span>`
    : html`<span>Outermost calls, where threads begin</span><span>Innermost calls, where threads are</span>`;

function hitsOf({boxes}: Tree, query: string): ReadonlySet<number> {
  const wanted = query.trim().toLowerCase();
  return new Set(wanted === '' ? [] : boxes.flatMap((box, i) => (box.names.includes(wanted) ? [i] : [])));
}

const toolbar = (
  state: Seen,
  dump: OpenDump,
  {boxes}: Tree,
  hits: ReadonlySet<number>,
  act: Actions,
): TemplateResult => {
  const {zoom, query} = state.threads.parallel;
  const count = dump.report.threads?.length ?? 0;
  const search = (value: string): void => act.parallel({query: value, ...firstHit(boxes, value)});
  return html`
    <div class="region-head">
      <h1 id="parallel-title" tabindex="-1">Parallel stacks</h1>
      <span class="quiet">${counted(count, 'thread')}, ${counted(boxes.length, 'box', 'boxes')}</span>
      <button class="button" @click=${() => act.select.stacks(false)}>Back to the list</button>
      ${searchField('filter', 'Find functions and modules in the stacks', 'Find functions, modules', query, search)}
      <span class="quiet" role="status">${query === '' ? '' : counted(hits.size, 'box', 'boxes')}</span>
      <span class="end">
        <button class="button plain" aria-keyshortcuts="f" aria-pressed=${state.stack.system} @click=${() => act.flip('system')}>System frames <kbd aria-hidden="true">f</kbd></button>
        <button class="button" aria-label="Smaller" @click=${() => act.parallel({zoom: zoomed(zoom, -1)})}>−</button>
        <button class="button" aria-label="Zoom ${Math.round(zoom * 100)} percent; press for 100" @click=${() => act.parallel({zoom: 1})}>${Math.round(zoom * 100)} %</button>
        <button class="button" aria-label="Larger" @click=${() => act.parallel({zoom: zoomed(zoom, 1)})}>+</button>
      </span>
    </div>
  `;
};

const firstHit = (boxes: readonly TreeBox[], query: string): {box?: number} => {
  const wanted = query.trim().toLowerCase();
  const at = wanted === '' ? -1 : boxes.findIndex(box => box.names.includes(wanted));
  return at < 0 ? {} : {box: at};
};

const canvas = (state: Seen, dump: OpenDump, drawn: Tree, hits: ReadonlySet<number>, act: Actions): TemplateResult => {
  const {zoom, box: at} = state.threads.parallel;
  const {boxes, width, height} = drawn;
  const stop = boxes[at] ? at : 0;
  return html`
    <div class="scroll-x canvas" role="group" aria-label="Stacks, callers ${drawn.indented ? 'above' : 'on the left'}; arrow keys follow the calls" @keydown=${(event: KeyboardEvent) => keys(event, drawn, stop, state, act)}>
      <svg width=${Math.round(width * zoom)} height=${Math.round(height * zoom)} viewBox="0 0 ${width} ${height}">
        ${boxes.map(box => (box.from === null ? nothing : line(box.from, box, drawn.indented)))}
        ${boxes.map((box, i) => shape(box, dump, {at: i, stop: i === stop, hit: hits.has(i)}, act))}
      </svg>
    </div>
  `;
};

// Keys of the canvas: arrows along the tree, Enter into the stack, plus and minus.
function keys(event: KeyboardEvent, {boxes, indented}: Tree, at: number, state: Seen, act: Actions): void {
  const {zoom} = state.threads.parallel;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const next = neighbour(boxes, at, event.key, indented);
  if (next !== null) {
    act.parallel({box: next});
    void act.drawn().then(() => focusOn(document.getElementById(`box-${next}`)));
  } else if (event.key === '+' || event.key === '-') act.parallel({zoom: zoomed(zoom, event.key === '+' ? 1 : -1)});
  else if (event.key === '0') act.parallel({zoom: 1});
  else if (event.key === 'Escape') act.select.stacks(false);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

const line = (from: TreeBox, to: TreeBox, indented: boolean): TemplateResult => {
  const [x, middle] = [from.x + from.width, (from.x + from.width + to.x) / 2];
  const kind = joinsGuess(to) ? 'link-line guess' : 'link-line';
  const path = indented
    ? `M${from.x + 6} ${from.y + from.height} V${to.y + 15} H${Math.max(to.x, from.x + 6)}`
    : `M${x} ${from.y + 15} H${middle} V${to.y + 15} H${to.x}`;
  return svg`<path class=${kind} d=${path}></path>`;
};

interface Look {
  readonly at: number;
  readonly stop: boolean;
  readonly hit: boolean;
}

const threadsOf = ({report}: OpenDump, box: TreeBox): Thread[] =>
  box.threads.flatMap(index => report.threads?.[index] ?? []);

// The width of a letter of the thread names after the count.
const letterWidth = 11;

const shape = (box: TreeBox, dump: OpenDump, {at, stop, hit}: Look, act: Actions): TemplateResult => {
  const threads = threadsOf(dump, box);
  const {words, crashed} = boxWords(threads, dump.report.verdict.crashed);
  const names = nameRuns(threads);
  const short = atEnd(names, Math.floor(box.width / letterWidth));
  const lines = box.more > 0 ? [{text: `${counted(box.more, 'line')} more`, kind: 'system'}, ...box.lines] : box.lines;
  const glyph = crashed ? '◆ ' : box.guess ? '? ' : '';
  return svg`
    <g
      id="box-${at}"
      class="${crashed ? 'crashed' : ''} ${box.guess ? 'guess' : ''} ${hit ? 'hit' : ''}"
      tabindex=${stop ? 0 : -1}
      role="button"
      @click=${() => open(box, act)}
      @focus=${() => act.parallel({box: at})}
      @keydown=${onPress(() => open(box, act))}
    >
      <title>${names}</title>
      <rect x=${box.x} y=${box.y} width=${box.width} height=${box.height} rx="3"></rect>
      <text class="count" x=${box.x + 8} y=${box.y + 19}>${glyph === '' ? nothing : svg`<tspan aria-hidden="true">${glyph}</tspan>`}${words} <tspan class="who" dx="6">${short}</tspan></text>
      ${lines.map(({text, kind}, i) => svg`<text class=${kind} x=${box.x + 8} y=${box.y + 21 + lineHeight * (i + 1)}>${visible(text)} </text>`)}
    </g>
  `;
};

// The innermost call of its first thread, in the report.
function open(box: TreeBox, act: Actions): void {
  const thread = box.threads[0];
  if (box.leaf && thread !== undefined) act.showThread(thread, box.leaf);
}

const strip = (box: TreeBox, dump: OpenDump, act: Actions): TemplateResult => {
  const threads = threadsOf(dump, box);
  const at = box.leaf && placeText(box.leaf);
  const states = [...new Set(threads.flatMap(thread => thread.state ?? []))].slice(0, 3).join(', ');
  return html`<p class="box-strip">
    <b>${counted(threads.length, 'thread')} in this box</b>
    <span class="cut">${nameRuns(threads)}</span>
    ${box.leaf ? html`<span class="keep">${mark(box.leaf)}</span><code class="cut">${nameInRow(rowName(box.leaf))}</code>` : nothing}
    ${at === null ? nothing : html`<code class="quieter">${visible(at)}</code>`}
    <span class="quiet">${visible(states)}</span>
    <button class="link tap" @click=${() => open(box, act)}>Open this stack</button>
  </p>`;
};
