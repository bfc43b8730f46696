// All stacks as an icicle: the width of a cell is its threads, the outermost calls are on top, and a bar for each thread stands above.
import './icicle.css';
import {nothing, svg, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump} from '../app/state.ts';
import type {Thread} from '../report.ts';
import {atEnd} from '../text/names.ts';
import {visible, visibleRow} from '../text/text.ts';
import {onPress} from '../widgets/focus.ts';
import {nameRuns} from './names.ts';
import {type Bar, bars, type Doing} from './strip.ts';
import {barRoom, cellHeight, countFrom, type Slot, type Tree, type TreeBox} from './tree.ts';

/** What a drawing of boxes needs to know beside them. */
export interface Boxes {
  readonly dump: OpenDump;
  readonly act: Actions;
  /** The box with the focus, or the first. */
  readonly at: number;
  readonly hits: ReadonlySet<number>;
  /** The words of a box: "12 threads, 1 of them crashed". */
  readonly words: (box: TreeBox) => string;
  /** Opens the stack of a box. */
  readonly open: (box: TreeBox) => void;
}

/** The words of the last cell: what the threads that end there do, with the lock that they wait for. */
export function stateOf(threads: readonly Thread[]): string | null {
  const all = threads.flatMap(({waits: wait, state}) => (wait ? `Waits for ${wait.name || wait.text}` : (state ?? [])));
  const [first, second, ...rest] = new Set(all);
  return first === undefined ? null : [first, second, rest.length > 0 ? '…' : ''].filter(Boolean).join('; ');
}

export const icicleBody = ({boxes, slots}: Tree, all: Boxes): TemplateResult => {
  const by = new Map(bars(all.dump.report, 0).map(bar => [bar.thread, bar]));
  return svg`
    <g class="bars" aria-hidden="true">${slots.map(slot => barAt(slot, by.get(slot.thread), all.dump))}</g>
    ${boxes.map((box, i) => cells(box, i, by, all))}` as TemplateResult;
};

const widest = 16;
const floor = barRoom - 6;

function barAt({x, width}: Slot, bar: Bar | undefined, {report}: OpenDump): TemplateResult | typeof nothing {
  if (!bar) return nothing;
  const {thread: index, doing, proved, guessed} = bar;
  const across = Math.max(1, Math.min(widest, width - 2));
  const thread = report.threads?.[index];
  return svg`
    <rect class=${doing} x=${x} y=${floor - proved} width=${across} height=${proved}></rect>
    ${guessed === 0 ? nothing : svg`<rect class="guessed" x=${x + 0.5} y=${floor - proved - guessed + 0.5} width=${across} height=${guessed}></rect>`}
    ${doing === 'crash' && thread ? svg`<text class="hot" x=${x + across + 6} y=${floor - 3}>${atEnd(visibleRow(thread.thread_name ?? `${thread.thread_id}`), 14)}</text>` : nothing}` as TemplateResult;
}

const cells = (box: TreeBox, i: number, by: ReadonlyMap<number, Bar>, all: Boxes): TemplateResult => {
  const {dump, act, at, hits} = all;
  const threads = box.threads.flatMap(index => dump.report.threads?.[index] ?? []);
  const doings = new Set(box.threads.map(index => by.get(index)?.doing ?? 'idle'));
  const hot = doings.size === 1 && doings.has('crash');
  const [doing]: Iterable<Doing> = doings;
  const words = `${all.words(box)}: ${nameRuns(threads)}`;
  return svg`<g
    id="box-${i}"
    class="${hot ? 'crashed' : ''} ${box.guess ? 'guess' : ''} ${hits.has(i) ? 'hit' : ''} ${i === at ? 'now' : ''}"
    tabindex=${i === at ? 0 : -1}
    role="button"
    @click=${() => act.parallel({box: i})}
    @focus=${() => act.parallel({box: i})}
    @keydown=${onPress(() => all.open(box))}
  >
    <title>${words}</title>
    ${box.lines.map(({text, kind}, k) => {
      const y = box.y + k * cellHeight;
      return svg`<rect class="${kind} ${kind === 'state' ? doing : ''}" x=${box.x} y=${y} width=${Math.max(1, box.width - 2)} height=${cellHeight - 1} rx="2"></rect>
        ${text === '' ? nothing : svg`<text class="${kind} ${kind === 'state' ? doing : ''}" x=${box.x + 6} y=${y + 17}>${visible(text)}</text>`}`;
    })}
    ${box.width > countFrom ? svg`<text class="count" x=${box.x + box.width - 8} y=${box.y + 17}>${threads.length}</text>` : nothing}
    <rect class="edge" x=${box.x} y=${box.y} width=${Math.max(1, box.width - 2)} height=${box.height - 1} rx="2"></rect>
  </g>` as TemplateResult;
};
