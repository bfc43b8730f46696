// The strip beside the stack: its frames to scale, low addresses on top.
import './scale.css';
import {html, nothing, svg, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import type {Report, Thread} from '../report.ts';
import {size} from '../text/format.ts';
import {memo} from '../text/maps.ts';
import {onPress, roving} from '../widgets/focus.ts';
import {frameRows} from './frames.ts';
import {type Block, blocks, freeBytes} from './scale.ts';

const blocksOf = memo(blocks);

type Seen = Pick<State, 'place'>;

export const scale = (state: Seen, report: Report, index: number, act: Actions): TemplateResult | typeof nothing => {
  const thread = report.threads?.[index];
  if (!thread) return nothing;
  const all = blocksOf(thread);
  const free = freeBytes(report, thread);
  const last = all.at(-1);
  if (!last) return nothing;
  const now = state.place?.thread === index ? numberOf(thread, state.place.frame) : -1;
  const high = last.y + last.height;
  return html`<div class="scale">
    <p class="quiet">Stack, to scale</p>
    ${free === null ? nothing : guard(free)}
    <svg width="118" height=${high} viewBox="0 0 118 ${high}" role="group" aria-label="Bytes of each frame on the stack" @keydown=${(event: KeyboardEvent) => roving(event, 'g')}>
      ${all.map((block, i) => shape(block, i === 0, block.from <= now && now <= block.to, () => select(thread, index, block, act)))}
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

const shape = ({from, to, bytes, y, height}: Block, stop: boolean, on: boolean, open: () => void): TemplateResult => {
  const words = `${from === to ? from : `${from}–${to}`} · ${size(bytes).replace(/ bytes?$/, ' B')}`;
  return svg`<g role="button" class=${on ? 'on' : ''} tabindex=${stop ? 0 : -1} aria-label="Frame ${words}" @click=${open} @keydown=${onPress(open)}>
    <rect x="1" y=${y} width="40" height=${height - 1} rx="1"></rect>
    <text x="46" y=${y + height / 2 + 4}>${words}</text>
  </g>` as TemplateResult;
};

const numberOf = (thread: Thread, at: number): number =>
  frameRows(thread, thread.crashed).findLast(({frame}) => frame.frame === at)?.number ?? -1;

function select(thread: Thread, index: number, {from}: Block, act: Actions): void {
  const row = frameRows(thread, thread.crashed)[from];
  if (row) act.select.row(index, row, 'push');
}
