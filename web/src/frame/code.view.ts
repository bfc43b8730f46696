// The code around the selected frame, from the dump's own memory: the frame's instruction, and
// those around it.
import type {Selected} from '../app/selected.ts';
import './code.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import {textFor} from '../app/sources.ts';
import {frameKey, type State} from '../app/state.ts';
import type {Code} from '../engine/types.ts';
import type {Module} from '../report.ts';
import {digits} from '../text/hex.ts';
import {visible, visibleRow} from '../text/text.ts';
import {type CodeRow, codeRows, type FileRow, type LineOf, type Mark, type SourceRow} from './code.ts';
import {sourceRow} from './source.ts';

/** What these views read of the state. */
type Seen = Pick<State, 'frame'>;

export const code = (state: Seen, found: Selected): TemplateResult => {
  const loaded = state.frame.code.get(frameKey(found));
  const words =
    loaded?.state !== 'done' || loaded.value.lines.length === 0
      ? ''
      : `${origin(loaded.value)}${loaded.value.sure ? '' : '; where the instructions above the marked one begin is the likeliest guess'}`;
  return html`
    <section class="panel code-panel">
      <h3>Code${words === '' ? nothing : html`<span class="quiet">${words}</span>`}</h3>
      ${body(state, found)}
    </section>
  `;
};

// If a dump lacks code, it is taken from the module's own file, which may differ from the memory of
// the crash.
function origin({lines}: Code): string {
  const fromFile = lines.filter(line => line.from_file).length;
  if (fromFile === 0) return 'bytes from the dump';
  const own = 'bytes of the module’s own file, which the dump does not have';
  return fromFile === lines.length ? own : `bytes from the dump; those marked “file” are ${own}`;
}

function body(state: Seen, found: Selected): TemplateResult {
  const loaded = state.frame.code.get(frameKey(found));
  if (!loaded || loaded.state === 'waiting') return html`<p class="quiet">Reading</p>`;
  if (loaded.state === 'failed') return html`<p class="quieter">${loaded.why}</p>`;
  if (loaded.value.lines.length === 0) return absent(found);
  const {dump, thread, frame} = found;
  return html`
    <div class="scroll-x" tabindex="0" role="group" aria-label="Code">
      <table class="grid">
        <caption class="visually-hidden">Code: mark, source line, address, bytes, instruction; notes below</caption>
        <tbody>
          ${codeRows(dump.report, thread, frame, loaded.value, lineOf(state)).map(anyRow)}
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

function anyRow(row: CodeRow | FileRow | SourceRow): TemplateResult {
  if (row.kind === 'file') return file(row);
  return row.kind === 'source' ? sourceLine(row) : instruction(row);
}

const marks: Readonly<Record<Exclude<Mark, null>, {readonly glyph: string; readonly words: string}>> = {
  crash: {glyph: '◆', words: 'crashed here'},
  here: {glyph: '▶', words: 'stood here'},
  return: {glyph: '↵', words: 'returns here'},
};

const file = (row: FileRow): TemplateResult => html`
  <tr class="file">
    <td></td>
    <th scope="row" colspan="4">${visibleRow(row.file)}</th>
  </tr>
`;

const sourceLine = (row: SourceRow): TemplateResult => html`
  <tr class="source">
    <td></td>
    <td class="line">${row.line}</td>
    <th scope="row" class="text" colspan="3">${row.text}</th>
  </tr>
`;

const instruction = ({mark, line, address, bytes, fromFile, mnemonic, operands, note}: CodeRow): TemplateResult => html`
  <tr class=${mark ?? nothing} aria-current=${mark === null ? nothing : 'true'}>
    <td class="mark">
      ${mark === null ? nothing : html`<span aria-hidden="true">${marks[mark].glyph}</span><span class="visually-hidden">${marks[mark].words}</span>`}
    </td>
    <td class="line">${line ?? nothing}</td>
    <th scope="row" class="address">${digits(address)}</th>
    <td class="bytes">${bytes}${fromFile ? html` <span class="quiet">file</span>` : nothing}</td>
    <td class="text">${mnemonic === null ? html`<span class="quiet">no instruction that is known</span>` : html`<span class="mnemonic">${visible(mnemonic)}</span> ${visibleRow(operands)}`}</td>
  </tr>
  ${note === '' ? nothing : noteRow(mark, note)}
`;

// The operands' values stand below the instruction, in the full width.
const noteRow = (mark: Mark, note: string): TemplateResult => html`
  <tr class="note-row ${mark ?? ''}">
    <td class="mark"></td>
    <td class="line"></td>
    <td class="note words" colspan="3">${note}</td>
  </tr>
`;

// Most dumps omit code that the program's own files have, so the message names the file with these
// bytes.
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
