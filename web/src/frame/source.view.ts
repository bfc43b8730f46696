// The source lines around the selected row, from a file of the user. The page fetches nothing.
import './source.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {sourceFor, textFor} from '../app/sources.ts';
import type {State} from '../app/state.ts';
import {type FrameRow, place} from '../stack/frames.ts';
import {baseName, counted, sourcePath, visible, visibleRow} from '../text/text.ts';
import {filePicker} from '../widgets/files.view.ts';
import {around, matching, type SourceFile, type SourceLine, type SourceText} from './source.ts';

/** What these views read of the state. */
type Seen = Pick<State, 'opened' | 'frame'>;

const few = 6;
const many = 40;
const moreKey = 'source.more';

/** Nothing where no file is known. */
export const source = (state: Seen, row: FrameRow, act: Actions): TemplateResult | typeof nothing => {
  const {file, line} = place(row);
  if (file === null) return nothing;
  const given = sourceFor(state, file);
  return html`
    <section class="panel source-panel">
      <h3>Source${given ? html`<span class="quiet">${visibleRow(given.path)}</span>` : nothing}</h3>
      ${given ? body(state, row, file, line ?? 0, act) : missing(state, file, act)}
    </section>
  `;
};

function missing(state: Seen, file: string, act: Actions): TemplateResult {
  const found = matching(state.frame.sources, file);
  if (found.length > 1) return choice(found, file, act);
  const name = html`<code>${visibleRow(baseName(sourcePath(file)))}</code>`;
  if (state.frame.sources.count > 0) {
    return html`<p class="quieter">None of the ${counted(state.frame.sources.count, 'source file')} given is called ${name}.</p>`;
  }
  return html`<p class="quieter give">
    <span>Drop ${name} or the folder that it is in to see the lines. They are read in this tab; nothing is fetched.</span>
    ${filePicker('Open folder', null, 'button', act, true)}
  </p>`;
}

// A project may have a hundred files called mod.rs; the first ones that match equally well suffice
// for a choice.
const mostChoices = 20;

const choice = (found: readonly SourceFile[], file: string, act: Actions): TemplateResult => html`
  <p class="quieter">${counted(found.length, 'file')} may be meant by <code>${visible(file)}</code>. Which one is it?</p>
  <ul class="choices">
    ${found.slice(0, mostChoices).map(given => html`<li><button class="link tap" @click=${() => act.sources.pick(file, given.path)}><code>${visible(given.path)}</code></button></li>`)}
    ${found.length > mostChoices ? html`<li class="quiet">and ${found.length - mostChoices} more</li>` : nothing}
  </ul>
`;

function body(state: Seen, row: FrameRow, file: string, line: number, act: Actions): TemplateResult {
  const loaded = textFor(state, file);
  if (!loaded || loaded.state === 'waiting') return html`<p class="quiet">Reading</p>`;
  if (loaded.state === 'failed') return html`<p class="quieter">${visible(loaded.why)}</p>`;
  return lines(loaded.value, row, line, state.opened.has(moreKey), act);
}

function lines(text: SourceText, row: FrameRow, line: number, more: boolean, act: Actions): TemplateResult {
  const shown = around(text, line, more ? many : few);
  if (shown.length === 0) {
    return html`<p class="quieter">It has ${counted(text.lines.length, 'line')}, and the frame is at line ${line}: it is of another version.</p>`;
  }
  return html`
    <div class="scroll-x" tabindex="0" role="group" aria-label="Source lines">
      <table class="grid">
        <caption class="visually-hidden">Source: mark, line, text</caption>
        <tbody>
          ${shown.map(l => sourceLine(l, row))}
        </tbody>
      </table>
    </div>
    <button class="link tap" @click=${() => act.toggle(moreKey)}>${more ? 'Fewer lines' : 'More lines'}</button>
  `;
}

const sourceLine = ({number, text, current}: SourceLine, row: FrameRow): TemplateResult => {
  const crashed = row.node === 'crash';
  return html`
    <tr class=${current ? (crashed ? 'crash' : 'here') : nothing} aria-current=${current ? 'true' : nothing}>
      <td class="mark">
        ${current ? html`<span aria-hidden="true">${crashed ? '◆' : '▶'}</span><span class="visually-hidden">this line</span>` : nothing}
      </td>
      <th scope="row" class="line">${number}</th>
      <td class="text">${text}</td>
    </tr>
  `;
};
