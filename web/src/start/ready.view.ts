// Symbols without a dump: what each file is, what it holds, and its content as a .sym file.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import {symbolFileKey} from '../app/syms.ts';
import type {FileInfo} from '../engine/types.ts';
import {baseName, counted, sentence, visible, visibleRow} from '../text/text.ts';

// A folder may hold thousands; the first say what it was.
const mostFiles = 20;

/** The files that wait for a dump, by name at first, and as what they are when they have been read. */
export const readyFiles = (state: State, act: Actions): TemplateResult | typeof nothing => {
  const {files: symbolFiles, described} = state.symbols;
  if (symbolFiles.length === 0) return nothing;
  const left = symbolFiles.length - mostFiles;
  return html`
    ${described?.state === 'done' && described.value.length > 0 ? table(state, described.value, act) : names(symbolFiles)}
    ${left <= 0 ? nothing : html`<p class="quiet">and ${counted(left, 'more file')}</p>`}
  `;
};

const names = (
  files: readonly string[],
): TemplateResult => html`<ul class="ready" aria-label="Symbol files that are ready">
  ${files.slice(0, mostFiles).map(name => html`<li><code>${visibleRow(name)}</code></li>`)}
</ul>`;

const table = (state: State, files: readonly FileInfo[], act: Actions): TemplateResult => html`
  <div class="scroll-x ready" tabindex="0" role="group" aria-label="Symbol files that are ready">
    <table class="data blocks">
      <caption class="visually-hidden">Symbol files that are ready</caption>
      <thead>
        <tr>
          <th scope="col">File</th><th scope="col">For</th><th scope="col">ID</th><th scope="col">CPU</th>
          <th scope="col">Has</th><th scope="col"><span class="visually-hidden">Save</span></th>
        </tr>
      </thead>
      <tbody>
        ${files.slice(0, mostFiles).map(file => row(state, file, act))}
      </tbody>
    </table>
  </div>
`;

const row = (state: State, file: FileInfo, act: Actions): TemplateResult => html`
  <tr>
    <th scope="row"><code title=${visibleRow(file.name)}>${visibleRow(baseName(file.name))}</code> <span class="quiet">${visible(kind(file))}</span></th>
    <td data-column="For">${file.debug_file === '' ? html`<span class="quiet">–</span>` : html`<code>${visibleRow(baseName(file.debug_file))}</code>`}</td>
    <td data-column="ID"><code class="quieter">${visibleRow(file.debug_id)}</code></td>
    <td data-column="CPU">${visibleRow(file.cpu)}</td>
    <td class="wide" data-column="Has">${file.holds.join(', ')} ${file.flaw === null ? nothing : html`<span class="missing">${visible(sentence(`It ${file.flaw}`))}</span>`}</td>
    <td>${file.convertible ? save(state, file, act) : nothing}</td>
  </tr>
`;

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
