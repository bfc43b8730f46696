// A hex view of captured memory: rows of sixteen bytes around a caret, the meaning of the byte at the caret, and a search. An
// address space is too large for a scroll bar, so only the rows in view exist, and keys, the wheel and buttons move them.
import {selected} from '../app/selected.ts';
import type {Hex} from './state.ts';
import './hex.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {hexRows, pageKey, perRow} from '../app/bytes.ts';
import type {OpenDump, State} from '../app/state.ts';
import {pointsTo} from '../frame/registers.ts';
import {brief, digits, format, parse, words} from '../text/hex.ts';
import {counted, visible} from '../text/text.ts';
import {byKey} from '../widgets/focus.ts';
import {absent, around, type ByteRow, byteRows, byteText, caretMoves, meantRoughly, whatExists} from './bytes.ts';
import {follows, meanings, type Word} from './meaning.ts';
import {touchedBy} from './touched.ts';

type Seen = Pick<State, 'dumps' | 'place' | 'layout' | 'memory'>;

/** The view, with the field for an address. */
export const bytes = (state: Seen, dump: OpenDump, act: Actions): TemplateResult => {
  const hex = state.memory.hex?.dump === dump.id ? state.memory.hex : null;
  return html`
    <div class="hex-view">
      <h3>Bytes</h3>
      ${goto(state, dump, act)} ${find(hex, act)}
      ${hex ? html`${failure(state, dump)} ${found(hex, act)} ${absence(state, dump, hex, act) ?? grid(state, dump, hex, act)} ${caretLine(state, dump, hex, act)}` : html`<p class="quieter">Give an address, or follow one from a register, a word of a stack or a region.</p>`}
    </div>
  `;
};

/** A value as a link to the bytes at its address. */
export const bytesLink = (address: string, content: unknown, act: Actions): TemplateResult => {
  const at = parse(address);
  if (at === null) return html`${content}`;
  return html`<button class="to-bytes" title="Show the bytes at ${brief(address)}" @click=${() => act.bytes.show(at)}>${content}</button>`;
};

const goto = (state: Seen, dump: OpenDump, act: Actions): TemplateResult => html`
  <form
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      const field = document.getElementById('goto');
      if (!(field instanceof HTMLInputElement)) return;
      const frame = selected(state)?.frame ?? null;
      const at = meantRoughly(field.value, dump.report, frame);
      field.setCustomValidity(at === null ? whatExists(dump.report, frame) : '');
      if (at === null) field.reportValidity();
      else act.bytes.show(at);
    }}
  >
    <label for="goto">Go to</label>
    <input class="field mono" id="goto" placeholder="address, register, function" autocomplete="off" spellcheck="false" @input=${clear} />
    <button class="button">Show</button>
  </form>
`;

const clear = (event: Event): void => {
  if (event.currentTarget instanceof HTMLInputElement) event.currentTarget.setCustomValidity('');
};

const find = (hex: Hex | null, act: Actions): TemplateResult => html`
  <form
    role="search"
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      const field = document.getElementById('find-bytes');
      const wide = document.getElementById('find-wide');
      if (field instanceof HTMLInputElement && wide instanceof HTMLInputElement)
        act.bytes.search(field.value, wide.checked);
    }}
  >
    <label for="find-bytes">Find</label>
    <input class="field mono" id="find-bytes" placeholder="text, or bytes: 48 8b 07" autocomplete="off" spellcheck="false" .value=${hex?.query ?? ''} />
    <label class="check"><input type="checkbox" id="find-wide" .checked=${hex?.wide ?? false} /> text as UTF-16</label>
    <button class="button">Find</button>
  </form>
`;

const found = (hex: Hex, act: Actions): TemplateResult | typeof nothing => {
  if (hex.found === null) return nothing;
  if (hex.found.state === 'waiting') return html`<p class="quiet" role="status">Searching</p>`;
  if (hex.found.state === 'failed') return html`<p class="quieter" role="status">${hex.found.why}</p>`;
  const {addresses, next} = hex.found.value;
  const first = addresses.length === 0 ? 'Not in the captured memory' : counted(addresses.length, 'place');
  return html`
    <p role="status">${first}${next === null ? '' : ', and more memory to search'}</p>
    <ul class="places" aria-label="Places">
      ${addresses.map(a => html`<li>${bytesLink(a, html`<code>${digits(a)}</code>`, act)}</li>`)}
    </ul>
    ${next === null ? nothing : html`<button class="button go-on" @click=${() => act.bytes.search(hex.query, hex.wide, next)}>Go on from ${brief(next)}</button>`}
  `;
};

function failure(state: Seen, dump: OpenDump): TemplateResult | typeof nothing {
  const ranges = state.memory.captured.get(dump.id);
  return ranges?.state === 'failed' ? html`<p class="quieter">${ranges.why}</p>` : nothing;
}

function rowsOf(state: Seen, dump: OpenDump, hex: Hex): ByteRow[] {
  return byteRows(hex.top, hexRows, perRow(state), dump.report.system_info.pointer_width, page => {
    const loaded = state.memory.pages.get(pageKey(dump, page));
    return loaded?.state === 'done' ? loaded.value : null;
  });
}

// Rows of dots are useless: if nothing in view was captured, the nearest captured addresses are shown.
function absence(state: Seen, dump: OpenDump, hex: Hex, act: Actions): TemplateResult | null {
  const ranges = state.memory.captured.get(dump.id);
  if (ranges?.state !== 'done') return null;
  const near = around(ranges.value, hex.top, BigInt(perRow(state) * hexRows));
  if (near === null) return null;
  const width = dump.report.system_info.pointer_width;
  const link = (at: bigint, words: string): TemplateResult =>
    html` ${words} <button class="link tap" @click=${() => act.bytes.show(at)}>${brief(format(at, width))}</button>.`;
  return html`<p class="hex-none" id="hex" tabindex="-1">
    The bytes at <code>${brief(format(hex.caret, width))}</code> are not in this dump.${near.before === null ? nothing : link(near.before, 'The last captured byte before them is at')}${
      near.after === null ? nothing : link(near.after, 'The first captured byte after them is at')
    }
  </p>`;
}

const grid = (state: Seen, dump: OpenDump, hex: Hex, act: Actions): TemplateResult => {
  const width = dump.report.system_info.pointer_width;
  const step = perRow(state);
  const found = selected(state);
  const touched = touchedBy(dump.report);
  return html`
    <div
      class="hex"
      id="hex"
      tabindex="0"
      role="group"
      aria-label="Bytes around ${brief(format(hex.caret, width))}; the arrow keys move"
      aria-describedby="hex-caret"
      @keydown=${(event: KeyboardEvent) => keys(event, step, act)}
      @wheel=${(event: WheelEvent) => wheel(event, step, act)}
      @click=${(event: MouseEvent) => click(event, hex, act)}
    >
      ${rowsOf(state, dump, hex).map(row => {
        const known = found ? meanings(row, dump.report, found, touched) : [];
        return html`<div class="hex-row">
          <span class="address">${digits(format(row.address, width)).padStart(12, '0')}</span
          ><span class="cells">${row.bytes.map((byte, i) =>
            cell(
              row,
              byte,
              i,
              hex.caret,
              known.find(({at}) => i >= at && i < at + width),
            ),
          )}</span
          ><span class="as-text" aria-hidden="true">${row.text}</span
          ><span class="means">${known.map(word => meaning(word, width, act))}</span>
        </div>`;
      })}
    </div>
    <p class="hex-steps">
      ${hex.came.length === 0 ? nothing : html`<button class="button" @click=${act.bytes.back}>Back</button>`}
      <button class="button" @click=${() => act.bytes.move(BigInt(-step * (hexRows - 1)))}>Earlier</button>
      <button class="button" @click=${() => act.bytes.move(BigInt(step * (hexRows - 1)))}>Later</button>
    </p>
  `;
};

const meaning = ({kind, value, words: means}: Word, width: number, act: Actions): unknown => {
  if (means === '') return nothing;
  return kind === 'touched'
    ? html`<b>${means}</b>`
    : html`<span class="quieter">${bytesLink(format(value, width), html`→ ${visible(means)}`, act)}</span>`;
};

const cell = (row: ByteRow, byte: number, i: number, caret: bigint, word: Word | undefined): TemplateResult => {
  const here = row.address + BigInt(i) === caret;
  const classes = `${i === 8 ? 'second ' : ''}${byte === absent ? 'absent ' : ''}${word?.kind ?? ''} ${here ? 'caret' : ''}`;
  const to = word && follows(word) ? word.value.toString(16) : nothing;
  return html`<span class=${classes} data-at=${(row.address + BigInt(i)).toString(16)} data-to=${to}>${byteText(byte)}</span>`;
};

function keys(event: KeyboardEvent, step: number, act: Actions): void {
  const by = byKey(event, caretMoves(step, hexRows));
  if (by !== undefined) act.bytes.move(BigInt(by));
}

// The wheel moves bytes only while they have the focus; otherwise the page could not be scrolled past them.
function wheel(event: WheelEvent, step: number, act: Actions): void {
  if (event.ctrlKey || event.currentTarget !== document.activeElement || event.deltaY === 0) return;
  event.preventDefault();
  act.bytes.move(BigInt(Math.sign(event.deltaY) * 3 * step));
}

// A click on a pointer follows it, and one on any other byte moves the caret there. Selected text is to be copied.
function click(event: MouseEvent, hex: Hex, act: Actions): void {
  const target = event.target;
  if (!(target instanceof HTMLElement) || getSelection()?.type === 'Range') return;
  const {at, to} = target.dataset;
  if (to !== undefined) act.bytes.show(BigInt(`0x${to}`));
  else if (at !== undefined) act.bytes.move(BigInt(`0x${at}`) - hex.caret);
}

// The value at the caret, as a byte and as a pointer.
function caretLine(state: Seen, dump: OpenDump, hex: Hex, act: Actions): TemplateResult {
  const {pointer_width: width, big_endian: big} = dump.report.system_info;
  const at = format(hex.caret, width);
  const row = byteRows(hex.caret, 1, width || 8, width, page => {
    const loaded = state.memory.pages.get(pageKey(dump, page));
    return loaded?.state === 'done' ? loaded.value : null;
  })[0];
  const here = row?.bytes[0] ?? absent;
  const whole = row !== undefined && row.bytes.length === width && !row.bytes.includes(absent);
  const value = whole ? words(Uint8Array.from(row.bytes), width, big)[0] : undefined;
  return html`<p class="hex-caret" id="hex-caret" role="status">
    <code>${brief(at)}</code>
    ${here === absent ? html`<span class="quieter">not in the dump</span>` : html`<span>byte <code>${byteText(here)}</code></span>`}
    ${value === undefined ? nothing : pointer(format(value, width), state, dump, act)}
  </p>`;
}

function pointer(value: string, state: Seen, dump: OpenDump, act: Actions): TemplateResult {
  const found = selected(state);
  const n = parse(value) ?? 0n;
  const {words: means, points} = found
    ? pointsTo(dump.report, found.thread, found.frame, n)
    : {words: '', points: false};
  const text = html`<code>${brief(value)}</code>`;
  return html`<span>word ${points ? bytesLink(value, text, act) : text}</span> <span class="quieter">${visible(means)}</span>`;
}
