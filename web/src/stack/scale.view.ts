// The strip beside the stack: its frames to scale, low addresses on top.
import './scale.css';
import {html, nothing, svg, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import {frameValuesKey} from '../app/variables.ts';
import type {Thread} from '../report.ts';
import {shortSize, size} from '../text/format.ts';
import {atEnd} from '../text/names.ts';
import {visibleRow} from '../text/text.ts';
import {largestOf} from '../variables/largest.ts';
import {onPress, roving} from '../widgets/focus.ts';
import {frameRows} from './frames.ts';
import {type Block, blocks, freeBytes, isPointed, largestFrame, partOf} from './scale.ts';

type Seen = Pick<State, 'place' | 'pointed' | 'variables'>;

export const scale = (state: Seen, dump: OpenDump, index: number, act: Actions): TemplateResult | typeof nothing => {
  const {report} = dump;
  const thread = report.threads?.[index];
  if (!thread) return nothing;
  const all = blocks(thread);
  const free = freeBytes(report, thread);
  const last = all.at(-1);
  if (!last) return nothing;
  const now = state.place?.thread === index ? state.place.frame : -1;
  const largest = largestFrame(all);
  const high = last.y + last.height;
  return html`<div class="scale">
    <p class="quiet">Stack, to scale</p>
    ${free === null ? nothing : guard(free)}
    <svg width="118" height=${high} viewBox="0 0 118 ${high}" role="group" aria-label="Bytes of each frame on the stack" @keydown=${(event: KeyboardEvent) => roving(event, 'g')}>
      ${all.map((block, i) =>
        shape(block, {
          variable: block === largest ? variableOf(state, dump, index, block) : null,
          isFirst: i === 0,
          isOn: block.frames.first <= now && now <= block.frames.last,
          isPointed: isPointed(state.pointed, index, block.frames),
          open: () => select(thread, index, block, act),
          point: is => act.point(is ? {thread: index, ...block.frames} : null),
        }),
      )}
    </svg>
  </div>`;
};

// The guard page is hatched; the free part below the frames has no scale.
const guard = (free: number): TemplateResult => html`
  <svg width="118" height="36" viewBox="0 0 118 36" role="img" aria-label="Below the frames: ${size(free)} free, then the guard page">
    <line x1="2" x2="41" y1="7" y2="7"></line>
    <path d="M1.5 15V35M40.5 15V35"></path>
    <text x="46" y="11">guard</text>
    <text x="46" y="28">${size(free)} free</text>
  </svg>
`;

interface Look {
  /** The name of what takes the most of it. */
  readonly variable: string | null;
  readonly isFirst: boolean;
  readonly isOn: boolean;
  readonly isPointed: boolean;
  readonly open: () => void;
  readonly point: (is: boolean) => void;
}

// A label of two lines, and what is beside a block, in letters.
const twoLines = 28;
const letters = 11;

const shape = (block: Block, {variable, open, point, ...look}: Look): TemplateResult => {
  const {from, to, bytes, y, height} = block;
  const words = `${from === to ? from : `${from}–${to}`} · ${shortSize(bytes)}`;
  const most = variable === null ? '' : `, most of it ${visibleRow(variable)}`;
  const middle = y + height / 2 + 4;
  const second = variable !== null && height >= twoLines ? atEnd(visibleRow(variable), letters) : null;
  return svg`<g role="button" class="${look.isOn ? 'on' : ''} ${look.isPointed ? 'pointed' : ''}" tabindex=${look.isFirst ? 0 : -1}
      aria-label="Frame ${words}${most}" @click=${open} @keydown=${onPress(open)}
      @pointerenter=${() => point(true)} @pointerleave=${() => point(false)}>
    <rect x="1" y=${y} width="40" height=${height - 1} rx="1"></rect>
    <text x="46" y=${second === null ? middle : middle - 7}>${words}</text>
    ${second === null ? nothing : svg`<text class="variable" x="46" y=${middle + 7}>${second}</text>`}
  </g>` as TemplateResult;
};

/** The variable that the part of a block is full of. */
function variableOf({variables}: Seen, dump: OpenDump, index: number, {frames}: Block): string | null {
  const thread = dump.report.threads?.[index];
  const part = thread ? partOf(thread, frames.first) : null;
  const answer = variables.values.get(frameValuesKey(dump.id, index, frames.first))?.answer;
  if (!part || answer?.state !== 'done') return null;
  return largestOf(
    answer.value.scopes.flatMap(scope => scope.variables),
    part,
  );
}

function select(thread: Thread, index: number, {from}: Block, act: Actions): void {
  const row = frameRows(thread, thread.crashed)[from];
  if (row) act.select.row(index, row, 'push');
}
