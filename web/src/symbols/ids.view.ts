// The ids of a wanted symbol file, its path on symbol servers, and why an added file was not used.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {Symbols} from '../report.ts';
import {size} from '../text/format.ts';
import {sentence, visible, visibleRow} from '../text/text.ts';
import {idDifference, type SymbolRow} from './symbols.ts';

/** The ids that identify the build of a module's symbols. */
export const ids = (row: SymbolRow, act: Actions): TemplateResult =>
  html`<dl class="ids">${wantedLines(row, act)}</dl>`;

const wantedLines = (row: SymbolRow, act: Actions): TemplateResult => {
  const {wanted, module} = row;
  const path = wanted?.paths?.[0];
  const {symbols} = module;
  return html`
    <dt>Wanted</dt>
    <dd>
      <code class="id">${visible(wanted?.debug_id ?? '')}</code>
      ${
        path === undefined
          ? nothing
          : html`<code>${visible(path)}</code>
              <button class="link tap" @click=${() => act.copy(path, 'Path copied')}>Copy path</button>`
      }
    </dd>
    ${symbols?.file ? addedLine(symbols, wanted?.debug_id ?? '') : nothing}
    ${symbols?.forcible ? anyway(row, act) : nothing}
    ${alternative(row)}
    ${wanted?.why ? html`<dt></dt><dd>${visible(sentence(wanted.why))}</dd>` : nothing}
  `;
};

const addedLine = ({given_id: id, file, bytes}: Symbols, wanted: string): TemplateResult => html`
  <dt>Given</dt>
  <dd>
    ${
      id === null || id === wanted
        ? nothing
        : html`<code class="id added">${idDifference(id, wanted).map(({text, differs}) => (differs ? html`<u>${visible(text)}</u>` : visible(text)))}</code>`
    }
    <code>${visible(file ?? '')}</code> <span class="quiet">${bytes > 0 ? size(bytes) : nothing}</span>
  </dd>
`;

const anyway = ({module, index}: SymbolRow, act: Actions): TemplateResult => {
  const [words, button] = module.loaded_symbols
    ? ['Mismatched, but used: its names are probably wrong.', 'Do not use it']
    : ['Its names would probably be wrong.', 'Use anyway'];
  return html`<dt></dt>
    <dd>
      <span>${words}</span>
      <button class="link tap" aria-label="${button}: mismatched symbols for ${visibleRow(module.filename)}" @click=${() => act.useAnyway(index, !module.loaded_symbols)}>${button}</button>
    </dd>`;
};

// A binary of the same build would do as well; it has this id.
const alternative = ({wanted}: SymbolRow): TemplateResult | typeof nothing =>
  wanted?.code_id
    ? html`<dt>For</dt>
        <dd><span>${visible(wanted.code_file)}, build <code>${visible(wanted.code_id)}</code></span></dd>`
    : nothing;
