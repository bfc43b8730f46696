// The source lines around the selected row, from a file of the user. The page fetches nothing.
import './source.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {sourceFor, textFor} from '../app/sources.ts';
import type {State} from '../app/state.ts';
import type {Variable} from '../report.ts';
import type {FrameRow} from '../stack/frames.ts';
import {place} from '../stack/names.ts';
import {baseName, counted, sourcePath, visible, visibleRow} from '../text/text.ts';
import {valuesOf} from '../variables/variables.ts';
import {filePicker} from '../widgets/files.view.ts';
import {around, expression, matching, moreKey, type SourceFile, type SourceLine, tokens} from './source.ts';

type Seen = Pick<State, 'opened' | 'frame'>;

const many = 40;

/** What the lines show besides their text. */
export interface Beside {
  /** So many lines before and after the row's own. */
  readonly around: number;
  /** The values of variables, for the lines that name them. */
  readonly values?: readonly Variable[];
  /** The variable that held the bad value. */
  readonly culprit?: string | undefined;
  /** A sentence below the line. */
  readonly said?: unknown;
}

/** The lines of the file that the user added, or how to add it; nothing where no file is known. */
export const source = (state: Seen, row: FrameRow, beside: Beside, act: Actions): TemplateResult | typeof nothing => {
  const {file, line} = place(row);
  if (file === null) return nothing;
  const found = sourceFor(state, file);
  return html`
    <section class="panel source-panel">
      ${found ? html`<h3>Source<span class="quiet">${visibleRow(found.path)}</span></h3>` : nothing}
      ${found ? body(state, row, file, line ?? 0, beside) : missing(state, file, act)}
    </section>
  `;
};

/** Whether the line of a row can be shown. */
export function hasLine(state: Seen, row: FrameRow): boolean {
  const {file, line} = place(row);
  const loaded = file === null ? undefined : textFor(state, file);
  return loaded?.state === 'done' && line !== null && around(loaded.value, line, 0).length > 0;
}

function missing(state: Seen, file: string, act: Actions): TemplateResult {
  const found = matching(state.frame.sources, file);
  if (found.length > 1) return choice(found, file, act);
  const name = html`<code>${visibleRow(baseName(sourcePath(file)))}</code>`;
  if (state.frame.sources.count > 0) {
    return html`<p class="quieter">None of the ${counted(state.frame.sources.count, 'source file')} given is called ${name}.</p>`;
  }
  return html`<p class="quieter give">
    <span>Add ${name} or its folder to see the lines</span>
    ${filePicker('Open folder', null, 'button', act, true)}
  </p>`;
}

// A project may have a hundred files called mod.rs; the first ones that match equally well suffice for a choice.
const mostChoices = 20;

const choice = (found: readonly SourceFile[], file: string, act: Actions): TemplateResult => html`
  <p class="quieter">${counted(found.length, 'file')} may be meant by <code>${visible(file)}</code>. Which one is it?</p>
  <ul class="choices">
    ${found.slice(0, mostChoices).map(source => html`<li><button class="link tap" @click=${() => act.sources.pick(file, source.path)}><code>${visible(source.path)}</code></button></li>`)}
    ${found.length > mostChoices ? html`<li class="quiet">and ${found.length - mostChoices} more</li>` : nothing}
  </ul>
`;

function body(state: Seen, row: FrameRow, file: string, line: number, beside: Beside): TemplateResult {
  const loaded = textFor(state, file);
  if (!loaded || loaded.state === 'waiting') return html`<p class="quiet">Reading</p>`;
  if (loaded.state === 'failed') return html`<p class="quieter">${visible(loaded.why)}</p>`;
  const shown = around(loaded.value, line, state.opened.has(moreKey) ? many : beside.around);
  if (shown.length === 0) {
    return html`<p class="quieter">It has ${counted(loaded.value.lines.length, 'line')}, and the frame is at line ${line}: it is of another version.</p>`;
  }
  return html`
    <div class="scroll-x" tabindex="0" role="group" aria-label="Source lines">
      <table class="grid">
        <caption class="visually-hidden">Source: mark, line, text, values</caption>
        <tbody>
          ${shown.map(l => sourceLine(l, row, beside))}
        </tbody>
      </table>
    </div>
  `;
}

const sourceLine = (
  {number, text, current}: SourceLine,
  row: FrameRow,
  {values = [], culprit, said = nothing}: Beside,
): TemplateResult => {
  const kind = current ? (row.node === 'crash' ? 'crash' : 'here') : nothing;
  return html`
    <tr class=${kind} aria-current=${current ? 'true' : nothing}>
      <td class="mark">
        ${current ? html`<span aria-hidden="true">${kind === 'crash' ? '◆' : '▶'}</span><span class="visually-hidden">this line</span>` : nothing}
      </td>
      <th scope="row" class="line">${number}</th>
      <td class="text">${underlined(text, current ? culprit : undefined)}</td>
      <td class="values">${valuesOf(text, values)}</td>
    </tr>
    ${current && said !== nothing ? html`<tr class="said ${kind}"><td></td><td></td><td colspan="2">${said}</td></tr>` : nothing}
  `;
};

/** The line with the expression of a variable underlined. */
function underlined(text: string, name: string | undefined): unknown {
  const at = name === undefined ? null : expression(text, name);
  return at
    ? html`${coloured(text.slice(0, at[0]))}<u>${coloured(text.slice(...at))}</u>${coloured(text.slice(at[1]))}`
    : coloured(text);
}

const coloured = (text: string): unknown =>
  tokens(text).map(({text, kind}) => (kind === null ? text : html`<span class=${kind}>${text}</span>`));
