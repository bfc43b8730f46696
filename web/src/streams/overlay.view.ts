// A stream as bytes of the file and as decoded fields, side by side. The selected field is marked in both; a click on a byte
// selects its field, and a click on a field its bytes.
import type {FileBytes} from './state.ts';
import './overlay.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {perRow} from '../app/bytes.ts';
import type {OpenDump, State} from '../app/state.ts';
import {filePageKey, fileRowsShown} from '../app/streams.ts';
import type {Field} from '../engine/types.ts';
import {absent, asText, byteText, caretMoves} from '../memory/bytes.ts';
import {size} from '../text/format.ts';
import {hex} from '../text/hex.ts';
import {counted, thin, visible, visibleRow} from '../text/text.ts';
import {byKey} from '../widgets/focus.ts';
import {byRecord, type FileCell, fieldsListed, fileRows, listed} from './fields.ts';

type Seen = Pick<State, 'layout' | 'streams'>;

export const overlay = (state: Seen, dump: OpenDump, act: Actions): TemplateResult | typeof nothing => {
  const {file} = state.streams;
  if (file?.dump !== dump.id) return nothing;
  return html`
    <div class="overlay region-body">
      <div class="overlay-head">
        <h3>${title(file, dump)}</h3>
        <span class="quiet">${hex(file.stream.offset)}${file.stream.size > 0 ? html`, ${size(file.stream.size)}` : nothing}</span>
        <button class="button" @click=${act.streams.close}>Close</button>
      </div>
      <div class="overlay-parts" @mouseover=${hover} @mouseleave=${hover}>
        <div class="overlay-bytes">${grid(state, dump, file, act)} ${here(state, file)}</div>
        ${list(file, act)}
      </div>
    </div>
  `;
};

function title({stream}: FileBytes, {report}: OpenDump): string {
  if (stream.type === null) return 'Bytes of the file';
  const name = report.streams?.find(s => s.type === stream.type && s.offset === stream.offset)?.name ?? '';
  return name === '' ? `Stream ${hex(stream.type)}` : visibleRow(name);
}

const fieldsOf = (file: FileBytes): readonly Field[] => (file.fields.state === 'done' ? file.fields.value.fields : []);

const grid = (state: Seen, dump: OpenDump, file: FileBytes, act: Actions): TemplateResult => {
  const step = perRow(state);
  const fields = fieldsOf(file);
  const rows = fileRows(file.top, fileRowsShown, step, fields, page => {
    const loaded = state.streams.pages.get(filePageKey(dump.id, page));
    return loaded?.state === 'done' ? loaded.value : null;
  });
  return html`
    <div
      class="hex"
      id="file-bytes"
      tabindex="0"
      role="group"
      aria-label="Bytes of the file around ${hex(file.at)}; the arrow keys move"
      aria-describedby="file-here"
      @keydown=${(event: KeyboardEvent) => keys(event, file, step, act)}
      @click=${(event: MouseEvent) => {
        const at = event.target instanceof HTMLElement ? event.target.dataset['offset'] : undefined;
        if (at !== undefined) act.streams.move(Number(at));
      }}
    >
      ${rows.map(
        row => html`<div class="hex-row">
          <span class="address">${(row[0]?.offset ?? 0).toString(16).padStart(8, '0')}</span
          ><span class="cells">${row.map((cell, i) => byteCell(cell, i, file, fields))}</span
          ><span class="as-text" aria-hidden="true">${row.map(({byte}) => asText(byte ?? absent)).join('')}</span>
        </div>`,
      )}
    </div>
  `;
};

const byteCell = (cell: FileCell, i: number, file: FileBytes, fields: readonly Field[]): TemplateResult => {
  const field = fields[cell.field];
  const classes = [
    i === 8 ? 'second' : '',
    cell.byte === null ? 'absent' : '',
    cell.first ? 'first' : '',
    cell.field < 0 ? 'no-field' : '',
    cell.field >= 0 && cell.field === file.field ? 'of-field' : '',
    cell.offset === file.at ? 'caret' : '',
  ].filter(c => c !== '');
  return html`<span
    class=${classes.join(' ') || nothing}
    data-offset=${cell.offset}
    data-field=${cell.field}
    title=${field ? visibleRow(named(field)) : nothing}
    >${byteText(cell.byte ?? absent)}</span
  >`;
};

const named = ({name, record}: Field): string => (record === '' ? name : `${name}, ${record}`);

function keys(event: KeyboardEvent, file: FileBytes, step: number, act: Actions): void {
  const by = byKey(event, {...caretMoves(step, fileRowsShown), Home: file.stream.offset - file.at});
  if (by !== undefined) act.streams.move(file.at + by);
}

// The byte at the caret in words, for screen readers.
function here(state: Seen, file: FileBytes): TemplateResult {
  const page = file.at - (file.at % 4096);
  const loaded = state.streams.pages.get(filePageKey(file.dump, page));
  const field = fieldsOf(file)[file.field];
  const byte = loaded?.state === 'done' ? loaded.value[file.at - page] : undefined;
  return html`<p class="hex-caret" id="file-here" role="status">
    <code>${hex(file.at)}</code>
    ${loaded?.state === 'failed' ? html`<span class="quieter">${visible(loaded.why)}</span>` : nothing}
    ${byte === undefined ? nothing : html`<span>byte <code>${byteText(byte)}</code></span>`}
    ${
      field
        ? html`<span><b>${visibleRow(field.name)}</b>${field.record === '' ? nothing : ` of ${visibleRow(field.record)}`}</span>
            <code class="break">${visibleRow(field.value)}</code>`
        : html`<span class="quieter">${file.fields.state === 'waiting' ? 'Reading the fields' : 'no field that is known'}</span>`
    }
  </p>`;
}

const list = (file: FileBytes, act: Actions): TemplateResult => {
  if (file.fields.state === 'waiting') return html`<p class="overlay-fields quiet">Reading the fields</p>`;
  if (file.fields.state === 'failed') return html`<p class="overlay-fields quieter">${visible(file.fields.why)}</p>`;
  const {fields, cut} = file.fields.value;
  if (fields.length === 0) {
    return html`<p class="overlay-fields quieter">Nothing here knows the fields of these bytes. They are shown as they are.</p>`;
  }
  const {from, to} = listed(fields.length, file.field);
  return html`
    <div class="overlay-fields">
      <p class="overlay-count">
        <span class="quiet">${fields.length <= fieldsListed ? counted(fields.length, 'field') : `Fields ${thin(from + 1)} to ${thin(to)} of ${thin(fields.length)}`}${cut ? ', and more that are not listed' : ''}</span>
        ${from > 0 ? html`<button class="button" @click=${() => act.streams.select(from - fieldsListed)}>Earlier</button>` : nothing}
        ${to < fields.length ? html`<button class="button" @click=${() => act.streams.select(to)}>Later</button>` : nothing}
      </p>
      <div
        class="fields"
        id="fields"
        role="listbox"
        tabindex="0"
        aria-label="Fields"
        aria-activedescendant=${file.field < 0 ? nothing : `field-${file.field}`}
        @keydown=${(event: KeyboardEvent) => fieldKeys(event, file, fields.length, act)}
      >
        ${byRecord(fields, from, to).map(
          group => html`
          <div role="group" aria-label=${group.record === '' ? 'The stream' : visibleRow(group.record)}>
            ${group.record === '' ? nothing : html`<div role="presentation" class="record">${visibleRow(group.record)}</div>`}
            ${group.fields.map(({field, index}) => option(field, index, file, act))}
          </div>
        `,
        )}
      </div>
    </div>
  `;
};

const option = (field: Field, index: number, file: FileBytes, act: Actions): TemplateResult => html`
  <div
    role="option"
    id="field-${index}"
    class="option"
    data-field=${index}
    aria-selected=${index === file.field}
    @click=${() => act.streams.select(index)}
  >
    <span class="name">${visibleRow(field.name)}</span>
    <span class="at">${hex(field.offset)}</span>
    <span class="size">${field.size}</span>
    <span class="value" title=${field.value.length > 20 ? visibleRow(field.value) : nothing}>${visibleRow(field.value)}</span>
  </div>
`;

function fieldKeys(event: KeyboardEvent, file: FileBytes, count: number, act: Actions): void {
  const at = file.field;
  const moves = {ArrowUp: at - 1, ArrowDown: at + 1, PageUp: at - 10, PageDown: at + 10, Home: 0, End: count - 1};
  const to = byKey(event, moves);
  if (to === undefined) return;
  const next = Math.min(Math.max(0, to), count - 1);
  act.streams.select(next);
  requestAnimationFrame(() => document.getElementById(`field-${next}`)?.scrollIntoView({block: 'nearest'}));
}

// The field under the pointer, marked in both lists. It changes too fast to be part of the state.
function hover(event: Event): void {
  const parts = event.currentTarget;
  if (!(parts instanceof HTMLElement)) return;
  for (const old of parts.querySelectorAll('.hovered')) old.classList.remove('hovered');
  const hovered =
    event.type === 'mouseover' && event.target instanceof Element ? event.target.closest('[data-field]') : null;
  const field = hovered?.getAttribute('data-field');
  if (field === null || field === undefined || field === '-1') return;
  for (const same of parts.querySelectorAll(`[data-field="${CSS.escape(field)}"]`)) same.classList.add('hovered');
}
