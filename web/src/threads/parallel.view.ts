// Parallel stacks: all threads as one tree over the whole width, an icicle or, on narrow pages, indented boxes.
import './parallel.css';
import {html, nothing, svg, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import type {Report, Thread} from '../report.ts';
import {memo} from '../text/maps.ts';
import {atEnd} from '../text/names.ts';
import {counted, visible} from '../text/text.ts';
import {searchField} from '../widgets/field.view.ts';
import {focusOn, onPress} from '../widgets/focus.ts';
import {type Boxes, icicleBody, stateOf} from './icicle.view.ts';
import {merged} from './merged.view.ts';
import {nameRuns} from './names.ts';
import {boxWords, parallel} from './parallel.ts';
import {legend} from './strip.view.ts';
import {icicle, joinsGuess, lineHeight, type Tree, type TreeBox, tree} from './tree.ts';
import {neighbour} from './walk.ts';

type Seen = Pick<State, 'layout' | 'stack' | 'threads'>;

const treeOf = memo((report: Report, system: boolean, narrow: boolean, room: number): Tree => {
  const threads = report.threads ?? [];
  const branches = parallel(threads, new Set(report.hang?.cycles?.flat()));
  if (narrow) return tree(branches, system, room);
  return icicle(branches, system, room, all => stateOf(all.flatMap(index => threads[index] ?? [])));
});

// The canvas has a margin on each side.
const drawnOf = ({layout: {width, across}, stack}: Seen, report: Report): Tree =>
  width === 'narrow'
    ? treeOf(report, stack.system, true, across - 24)
    : treeOf(report, stack.system, false, across - 64);

/** All stacks of a dump, in place of its report. */
export const parallelView = (state: Seen, dump: OpenDump, act: Actions): TemplateResult => {
  const drawn = drawnOf(state, dump.report);
  const {boxes} = drawn;
  const hits = hitsOf(drawn, state.threads.parallel.query);
  const at = boxes[state.threads.parallel.box] ? state.threads.parallel.box : 0;
  const box = boxes[at];
  const all: Boxes = {
    dump,
    act,
    at,
    hits,
    words: of => boxWords(threadsOf(dump, of), dump.report.verdict.crashed).words,
    open: of => open(of, act),
  };
  return html`
    <section class="parallel" id="crash" aria-labelledby="parallel-title" tabindex="-1">
      ${toolbar(state, dump, drawn, hits, act)}
      ${canvas(drawn, all)}
      ${box ? merged(box, threadsOf(dump, box), () => open(box, act)) : nothing}
    </section>
  `;
};

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
  const {query} = state.threads.parallel;
  const count = dump.report.threads?.length ?? 0;
  const search = (value: string): void => act.parallel({query: value, ...firstHit(boxes, value)});
  return html`
    <div class="region-head">
      <h1 id="parallel-title" tabindex="-1">Parallel stacks</h1>
      <span class="quiet">${counted(count, 'thread')}, the outermost calls on top</span>
      <button class="button" @click=${() => act.select.stacks(false)}>Back to the list</button>
      ${searchField('filter', 'Find functions and modules in the stacks', 'Find functions, modules', query, search)}
      <span class="quiet" role="status">${query === '' ? '' : counted(hits.size, 'box', 'boxes')}</span>
      <span class="end">
        ${legend(dump)}
        <button class="button plain" aria-keyshortcuts="f" aria-pressed=${state.stack.system} @click=${() => act.flip('system')}>System frames <kbd aria-hidden="true">f</kbd></button>
      </span>
    </div>
  `;
};

const firstHit = (boxes: readonly TreeBox[], query: string): {box?: number} => {
  const wanted = query.trim().toLowerCase();
  const at = wanted === '' ? -1 : boxes.findIndex(box => box.names.includes(wanted));
  return at < 0 ? {} : {box: at};
};

const canvas = (drawn: Tree, all: Boxes): TemplateResult => {
  const {boxes, width, height, indented} = drawn;
  return html`
    <div class="scroll-x canvas ${indented ? 'boxes' : 'icicle'}" role="group" aria-label="Stacks, callers above; arrow keys follow the calls, Enter opens a stack" @keydown=${(event: KeyboardEvent) => keys(event, drawn, all)}>
      <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}">
        ${
          indented
            ? svg`${boxes.map(box => (box.from === null ? nothing : line(box.from, box)))}
                ${boxes.map((box, i) => shape(box, i, all))}`
            : icicleBody(drawn, all)
        }
      </svg>
    </div>
  `;
};

// Keys of the canvas: arrows along the tree, Escape back to the report.
function keys(event: KeyboardEvent, {boxes, indented}: Tree, {at, act}: Boxes): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const next = neighbour(boxes, at, event.key, indented);
  if (next !== null) {
    act.parallel({box: next});
    void act.drawn().then(() => focusOn(document.getElementById(`box-${next}`)));
  } else if (event.key === 'Escape') act.select.stacks(false);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

const line = (from: TreeBox, to: TreeBox): TemplateResult => {
  const kind = joinsGuess(to) ? 'link-line guess' : 'link-line';
  return svg`<path class=${kind} d="M${from.x + 6} ${from.y + from.height} V${to.y + 15} H${Math.max(to.x, from.x + 6)}"></path>`;
};

const threadsOf = ({report}: OpenDump, box: TreeBox): Thread[] =>
  box.threads.flatMap(index => report.threads?.[index] ?? []);

// The width of a letter of the thread names after the count.
const letterWidth = 11;

const shape = (box: TreeBox, at: number, {dump, act, at: now, hits, ...all}: Boxes): TemplateResult => {
  const threads = threadsOf(dump, box);
  const {words, crashed} = boxWords(threads, dump.report.verdict.crashed);
  const names = nameRuns(threads);
  const short = atEnd(names, Math.floor(box.width / letterWidth));
  const lines = box.more > 0 ? [{text: `${counted(box.more, 'line')} more`, kind: 'system'}, ...box.lines] : box.lines;
  const glyph = crashed ? '◆ ' : box.guess ? '? ' : '';
  return svg`
    <g
      id="box-${at}"
      class="${crashed ? 'crashed' : ''} ${box.guess ? 'guess' : ''} ${hits.has(at) ? 'hit' : ''}"
      tabindex=${at === now ? 0 : -1}
      role="button"
      @click=${() => act.parallel({box: at})}
      @focus=${() => act.parallel({box: at})}
      @keydown=${onPress(() => all.open(box))}
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
