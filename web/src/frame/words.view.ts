// The words of the frame's stack, from its stack pointer up.
import type {Selected} from '../app/selected.ts';
import './words.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {frameKey, type State} from '../app/state.ts';
import {bytesLink} from '../memory/hex.view.ts';
import type {Frame, Thread} from '../report.ts';
import {frameRows} from '../stack/frames.ts';
import {mark, placeText, rowName} from '../stack/names.ts';
import {frameOn, isPointed} from '../stack/scale.ts';
import {column, digits, format, hex, parse} from '../text/hex.ts';
import {bare} from '../text/names.ts';
import {visibleRow} from '../text/text.ts';
import {nameInRow} from '../widgets/text.view.ts';
import {type Extent, extent, type RunRow, type WordRow, wordRows} from './words.ts';

type Seen = Pick<State, 'frame' | 'pointed'>;

export const words = (state: Seen, found: Selected, act: Actions): TemplateResult => html`
  <section class="panel words-panel">
    <h3>Stack words<span class="quiet">from the stack pointer up</span></h3>
    ${body(state, found, act)}
  </section>
`;

function body(state: Seen, found: Selected, act: Actions): TemplateResult {
  const {dump, thread, frame} = found;
  const at = extent(dump.report, thread, frame);
  if (!at) return html`<p class="quieter">The stack pointer of this frame was not recovered.</p>`;
  const loaded = state.frame.memory.get(frameKey(found));
  if (!loaded || loaded.state === 'waiting') return html`<p class="quiet">Reading</p>`;
  if (loaded.state === 'failed') return html`<p class="quieter">${loaded.why}</p>`;
  if (!loaded.value || loaded.value.length === 0) return html`<p class="quieter">These bytes are not in the dump.</p>`;
  const named = state.frame.pointers.get(frameKey(found));
  const rows = wordRows(dump.report, thread, frame, at, loaded.value, named?.state === 'done' ? named.value : []);
  return html`<table class="grid">
    <caption class="visually-hidden">Words of the stack: offset from the stack pointer, address, value, meaning</caption>
    <colgroup>
      <col class="offset" />
      <col class="address" />
      <col class="value" />
      <col />
    </colgroup>
    <tbody>
      ${rows.map(row => (row.kind === 'run' ? run(row) : word(row, at, {state, found, act})))}
    </tbody>
  </table>`;
}

const run = (row: RunRow): TemplateResult => html`
  <tr>
    <th scope="row" class="quiet">${offset(row.offset)}</th>
    <td class="quiet address">···</td>
    <td class="quiet" colspan="2">${row.text}</td>
  </tr>
`;

interface Context {
  readonly state: Seen;
  readonly found: Selected;
  readonly act: Actions;
}

const word = (row: WordRow, at: Extent, {state, found: {dump, thread, index}, act}: Context): TemplateResult => {
  const width = dump.report.system_info.pointer_width;
  const on = frameOn(thread, row.address);
  const frames = on === null ? null : {first: on, last: on};
  const classes = [
    row.returns ? 'returns' : '',
    at.end !== null && row.address >= at.end ? 'caller' : '',
    frames && isPointed(state.pointed, index, frames) ? 'pointed' : '',
  ];
  return html`
    <tr
      class=${classes.join(' ')}
      @pointerenter=${() => act.point(frames && {thread: index, ...frames})}
      @pointerleave=${() => act.point(null)}
    >
      <th scope="row" class="quiet">${offset(row.offset)}</th>
      <td class="quiet address">${bytesLink(format(row.address, width), digits(format(row.address, width)), act)}</td>
      <td class="nowrap">${column(format(row.value, width))}</td>
      <td class="words"><span class="meaning">${meaning(row, thread)}</span></td>
    </tr>
  `;
};

const meaning = ({returns: caller, symbol, words}: WordRow, thread: Thread): TemplateResult => {
  if (caller) return returns(caller, thread);
  return symbol
    ? html`<span class="keep">${symbol.mark}</span><code class="cut">${nameInRow(bare(symbol.name))}</code><span class="keep">${symbol.offset === '' ? '' : ` ${symbol.offset}`}</span><span class="quiet cut"> ${visibleRow(symbol.at)}</span>`
    : html`<span class="cut">${visibleRow(words)}</span>`;
};

const offset = (bytes: number): string => (bytes === 0 ? 'sp' : `+0x${bytes.toString(16).padStart(2, '0')}`);

const returns = (frame: Frame, thread: Thread): TemplateResult => {
  const row = frameRows(thread, false).find(r => r.frame === frame && r.inline === null);
  if (!row) return html``;
  const at = placeText(row);
  const into = parse(frame.function_offset ?? '');
  return html`<span class="keep">return to ${mark(row)}</span><code class="cut">${nameInRow(bare(rowName(row)))}</code>${into ? html`<span class="keep"> + ${hex(into)}</span>` : nothing}${at === null ? nothing : html`<span class="cut"> ${visibleRow(at)}</span>`}<span class="keep">, frame ${row.number}</span>`;
};
