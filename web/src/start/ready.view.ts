// Symbols without a dump: what each file is, what it holds, and its content as a .sym file.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import {symbolFileKey} from '../app/syms.ts';
import type {FileInfo} from '../engine/types.ts';
import {baseName, counted, sentence, visible, visibleRow} from '../text/text.ts';
import {type Column, table} from '../widgets/region.view.ts';

// A folder may hold thousands; the first say what it was.
const mostFiles = 20;

const caption = 'Symbol files that are ready';

/** The files that wait for a dump, by name at first, and as what they are when they have been read. */
export const readyFiles = (state: State, act: Actions): TemplateResult | typeof nothing => {
  const {files: symbolFiles, described} = state.symbols;
  if (symbolFiles.length === 0) return nothing;
  const left = symbolFiles.length - mostFiles;
  return html`
    ${
      described?.state === 'done' && described.value.length > 0
        ? html`<div class="ready">${table(
            caption,
            columns,
            described.value.slice(0, mostFiles).map(file => row(state, file, act)),
          )}</div>`
        : names(symbolFiles)
    }
    ${left <= 0 ? nothing : html`<p class="quiet">and ${counted(left, 'more file')}</p>`}
  `;
};

const names = (files: readonly string[]): TemplateResult => html`<ul class="ready" aria-label=${caption}>
  ${files.slice(0, mostFiles).map(name => html`<li><code>${visibleRow(name)}</code></li>`)}
</ul>`;

const columns: readonly Column[] = [['File'], ['For'], ['ID'], ['CPU'], ['Has', 'wide'], ['Save', '', '']];

const row = (state: State, file: FileInfo, act: Actions): readonly unknown[] => [
  html`<code title=${visibleRow(file.name)}>${visibleRow(baseName(file.name))}</code> <span class="quiet">${visible(kind(file))}</span>`,
  file.debug_file === ''
    ? html`<span class="quiet">–</span>`
    : html`<code>${visibleRow(baseName(file.debug_file))}</code>`,
  html`<code class="quieter">${visibleRow(file.debug_id)}</code>`,
  visibleRow(file.cpu),
  html`${file.holds.join(', ')} ${file.flaw === null ? nothing : html`<span class="missing">${visible(sentence(`It ${file.flaw}`))}</span>`}`,
  file.convertible ? save(state, file, act) : '',
];

/** "a Breakpad symbol file" stands alone as "Breakpad symbol file". */
const kind = (file: FileInfo): string => file.kind.replace(/^an? /, '');

const save = (state: State, file: FileInfo, act: Actions): TemplateResult => {
  const saved = state.symbols.syms.get(symbolFileKey(file));
  const waits = saved?.state === 'waiting';
  return html`<button
      class="link tap"
      aria-label="Save .sym of ${visibleRow(baseName(file.name))}"
      aria-disabled=${waits ? 'true' : nothing}
      @click=${() => act.downloadSymbolFile(file)}
    >
      ${waits ? 'Writing .sym' : 'Save .sym'}</button
    >${saved?.state === 'failed' ? html`<span class="doubt" role="status">✕ ${visible(sentence(saved.why))}</span>` : nothing}`;
};
