// The code around the selected frame, from the dump's own memory: the frame's instruction, and those around it.
import type {Selected} from '../app/selected.ts';
import './code.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import {textFor} from '../app/sources.ts';
import {frameKey, type State} from '../app/state.ts';
import type {Code} from '../engine/types.ts';
import type {Module} from '../report.ts';
import {visible, visibleRow} from '../text/text.ts';
import {type CodeRow, codeRows, type FileRow, type LineOf, type Mark, type SourceRow} from './code.ts';
import {sourceRow} from './source.ts';

type Seen = Pick<State, 'frame'>;

/** The listing, with a sentence below its marked instruction. */
export const code = (state: Seen, found: Selected, around?: number, said: unknown = nothing): TemplateResult => {
  const loaded = state.frame.code.get(frameKey(found));
  const words =
    loaded?.state !== 'done' || loaded.value.lines.length === 0
      ? ''
      : `${origin(loaded.value)}${loaded.value.sure ? '' : '; where the instructions above the marked one begin is the likeliest guess'}`;
  return html`
    <section class="panel code-panel">
      <h3>Instructions<span class="quiet">${visible(found.frame.module ?? '')}${words === '' ? '' : `, ${words}`}</span></h3>
      ${body(state, found, around, said)}
    </section>
  `;
};

/** Whether the code of a frame was requested, and is in no file. */
export function lacksCode(state: Seen, found: Selected): boolean {
  const loaded = state.frame.code.get(frameKey(found));
  return loaded?.state === 'done' && loaded.value.lines.length === 0;
}

// If a dump lacks code, it is taken from the module's own file, which may differ from the memory of the crash.
function origin({lines}: Code): string {
  const fromFile = lines.filter(line => line.from_file).length;
  if (fromFile === 0) return 'bytes from the dump';
  const own = 'bytes of the module’s own file, which the dump does not have';
  return fromFile === lines.length ? own : `bytes from the dump; those marked “file” are ${own}`;
}

function body(state: Seen, found: Selected, around: number | undefined, said: unknown): TemplateResult {
  const loaded = state.frame.code.get(frameKey(found));
  if (!loaded || loaded.state === 'waiting') return html`<p class="quiet">Reading</p>${said}`;
  if (loaded.state === 'failed') return html`<p class="quieter">${loaded.why}</p>${said}`;
  if (loaded.value.lines.length === 0) return html`${absent(found)}${said}`;
  const {dump, thread, frame} = found;
  return html`
    <div class="scroll-x" tabindex="0" role="group" aria-label="Instructions">
      <table class="grid">
        <caption class="visually-hidden">Instructions: mark, source line, place, bytes, instruction with the values that it used</caption>
        <tbody>
          ${codeRows(dump.report, thread, frame, loaded.value, lineOf(state), around).map(row => anyRow(row, said))}
        </tbody>
      </table>
    </div>
  `;
}

const lineOf =
  (state: Seen): LineOf =>
  (path, line) => {
    const loaded = textFor(state, path);
    const text = loaded?.state === 'done' ? loaded.value.lines[line - 1] : undefined;
    return text === undefined ? null : sourceRow(text);
  };

function anyRow(row: CodeRow | FileRow | SourceRow, said: unknown): TemplateResult {
  if (row.kind === 'file') return file(row);
  return row.kind === 'source' ? sourceLine(row) : instruction(row, said);
}

const marks: Readonly<Record<Exclude<Mark, null>, {readonly glyph: string; readonly words: string}>> = {
  crash: {glyph: '◆', words: 'crashed here'},
  here: {glyph: '▶', words: 'stood here'},
  return: {glyph: '↵', words: 'returns here'},
};

const file = (row: FileRow): TemplateResult => html`
  <tr class="file">
    <td></td>
    <td></td>
    <th scope="row" colspan="4">${visibleRow(row.file)}</th>
  </tr>
`;

const sourceLine = (row: SourceRow): TemplateResult => html`
  <tr class="source">
    <td></td>
    <td></td>
    <td class="line">${row.line}</td>
    <th scope="row" class="text" colspan="3">${row.text}</th>
  </tr>
`;

const instruction = (row: CodeRow, said: unknown): TemplateResult => {
  const {mark, line, place, bytes, fromFile, mnemonic, operands, note, lanes} = row;
  return html`
  <tr class=${mark ?? nothing} aria-current=${mark === null ? nothing : 'true'}>
    <td class="mark">
      ${mark === null ? nothing : html`<span aria-hidden="true">${marks[mark].glyph}</span><span class="visually-hidden">${marks[mark].words}</span>`}
    </td>
    <td class="lanes" aria-hidden="true">${lanes.map(lane => html`<span class=${lane}></span>`)}</td>
    <td class="line">${line ?? nothing}</td>
    <th scope="row" class="address">${place}</th>
    <td class="bytes">${bytes}${fromFile ? html` <span class="quiet">file</span>` : nothing}</td>
    <td class="text">${mnemonic === null ? html`<span class="quiet">no instruction that is known</span>` : html`<span class="mnemonic">${visible(mnemonic)}</span> ${visibleRow(operands)}`}${note === '' ? nothing : html` <span class="note">${note}</span>`}</td>
  </tr>
  ${
    mark === null || said === nothing
      ? nothing
      : html`<tr class="said ${mark}"><td></td><td class="lanes" aria-hidden="true">${lanes.map(lane => html`<span class=${/top|line/.test(lane) ? 'line' : ''}></span>`)}</td><td colspan="4">${said}</td></tr>`
  }
`;
};

// Most dumps omit code that the program's own files have, so the message names the file with these bytes.
function absent({dump, frame}: Selected): TemplateResult {
  const module = frame.module_index === null ? undefined : dump.report.modules?.[frame.module_index];
  if (!module) {
    return html`<p class="quieter">There is no code in the dump at this address, and no module whose file would have it.</p>`;
  }
  return html`<p class="quieter">
    The bytes of this code are not in the dump. They are in <code>${visible(module.filename)}</code>${build(module)}.
  </p>`;
}

const build = ({code_id}: Module): TemplateResult | typeof nothing =>
  code_id === '' ? nothing : html` of build <code class="break">${visible(code_id)}</code>`;
