// Symbols: one line while all is well; otherwise what is missing, by the path it is known by, and why a given file was not used.
import './symbols.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {type OpenDump, openKey, type State} from '../app/state.ts';
import type {Symbols} from '../report.ts';
import {size} from '../text/format.ts';
import {memo} from '../text/memo.ts';
import {counted, sentence, thin, visible, visibleRow} from '../text/text.ts';
import {filePicker} from '../widgets/files.view.ts';
import {scrollToSection} from '../widgets/jump.view.ts';
import {fetchLine} from './fetch.ts';
import {askButton} from './fetch.view.ts';
import {brings, idDifference, type SymbolRow, type SymbolView, symbolView} from './symbols.ts';
import {symbolFiles, symsButton, together} from './syms.view.ts';

const viewOf = memo(symbolView);

export const symbols = (state: State, dump: OpenDump, act: Actions): TemplateResult | typeof nothing => {
  const thread = dump.report.threads?.[state.place?.thread ?? -1] ?? null;
  const view = viewOf(dump.report, thread);
  if (view.rows.length === 0 && view.others.length === 0) return nothing;
  return html`
    <section class="symbols" aria-labelledby="symbols-title">
      ${view.urgent ? list(view, state, dump, act) : line(view, state, dump, act)}
      ${view.others.length === 0 || !showsFiles(state, dump) ? nothing : others(view, state, dump, act)}
    </section>
  `;
};

// What would push away a stack that somebody looks at already waits until it is asked for.
const showsFiles = (state: State, dump: OpenDump): boolean => !dump.early || state.opened.has(filesKey(dump));

const filesKey = (dump: OpenDump): string => openKey(dump, 0, 'symbols');

const showFiles = (state: State, dump: OpenDump, act: Actions): TemplateResult | typeof nothing =>
  dump.early
    ? html`<button class="button" aria-expanded=${showsFiles(state, dump)} @click=${() => act.toggle(filesKey(dump))}>${showsFiles(state, dump) ? 'Hide' : 'Show'} files</button>`
    : nothing;

const line = (view: SymbolView, state: State, dump: OpenDump, act: Actions): TemplateResult => html`
  <div class="symbols-head">
    <h2 id="symbols-title">Symbols</h2>
    ${view.rows.map(row => html`<span class="brief">${mark(row)} ${visibleRow(row.module.filename)} <span class="quiet">${brings(row.module)}${together(row.module)}</span></span>`)}
    ${rest(view, view.others.length > 0 ? showFiles(state, dump, act) : nothing)}
  </div>
`;

const rest = (view: SymbolView, more: TemplateResult | typeof nothing): TemplateResult => html`
  <span class="end quiet">
    ${more}
    ${view.rest > 0 ? `${counted(view.rest, 'module')} not on this stack` : nothing}
    <a href="#modules" @click=${(e: Event) => scrollToSection(e, 'modules')}>${allModules(view.rows.length + view.rest)}</a>
  </span>
`;

const allModules = (n: number): string => (n === 1 ? 'The module' : `All ${thin(n)} modules`);

const mark = ({state}: SymbolRow): TemplateResult =>
  html`<span class="mark ${state.mark}" aria-hidden="true">${state.glyph}</span>`;

const list = (view: SymbolView, state: State, dump: OpenDump, act: Actions): TemplateResult => {
  const paths = [...view.rows, ...view.others].flatMap(row => row.wanted?.paths?.slice(0, 1) ?? []);
  const isShown = showsFiles(state, dump);
  return html`
    <div class="symbols-head">
      <h2 id="symbols-title">Symbols</h2>
      <span class="quieter">
        ${view.rows.length === 0 ? nothing : `${view.matched} of ${counted(view.rows.length, 'module')} on this stack matched.`}
        ${view.gain ?? nothing}
      </span>
      <span class="end">
        ${showFiles(state, dump, act)}
        <button class="button" @click=${() => act.copy(`${paths.join('\n')}\n`, `${counted(paths.length, 'path')} copied`)}>Copy list</button>
        ${askButton(state)} ${filePicker('Add symbol files', null, 'button primary', act)}
      </span>
    </div>
    ${isShown ? html`<ul class="wanted">${view.rows.map(row => html`<li>${item(row, state, dump, act)}</li>`)}</ul> ${commands(paths, act)}` : nothing}
  `;
};

const commands = (paths: readonly string[], act: Actions): TemplateResult | typeof nothing => {
  const lines = paths.map(fetchLine).filter(line => line !== null);
  const text = `${lines.join('\n')}\n`;
  return lines.length === 0
    ? nothing
    : html`<details class="fetch">
        <summary>Commands that fetch ${lines.length === 1 ? 'it' : 'them'} from a symbol server</summary>
        <p class="quieter">
          This page fetches nothing. For a shell, with the address of a server in <code>SYMBOL_SERVER</code>; then drop the
          folder <code>symbols</code> here.
          <button class="link tap" @click=${() => act.copy(text, `${counted(lines.length, 'command')} copied`)}>Copy</button>
        </p>
        <pre tabindex="0">${text}</pre>
      </details>`;
};

const others = (view: SymbolView, state: State, dump: OpenDump, act: Actions): TemplateResult => html`
  <details class="others">
    <summary>${counted(view.others.length, 'more file')} wanted</summary>
    <ul class="wanted">
      ${view.others.map(row => html`<li>${item(row, state, dump, act)}</li>`)}
    </ul>
  </details>
`;

const item = (row: SymbolRow, state: State, dump: OpenDump, act: Actions): TemplateResult => {
  const frames = html`<span class="quiet">${counted(row.wanted?.frames ?? row.frames, 'frame')}</span>`;
  const name = html`<b class="cut">${visibleRow(row.module.filename)}</b>`;
  if (!row.wanted) {
    return html`${mark(row)}<div class="who">${name}</div><p>${row.state.words}: ${brings(row.module)}. ${frames}${symbolFiles(row.module)} ${symsButton(state, dump, row.index, act)}</p>`;
  }
  return html`
    ${mark(row)}
    <div class="who">${name}<span><span class="state ${row.state.mark}">${row.state.words}</span> ${frames}</span></div>
    <dl>${wantedLines(row, act)}</dl>
  `;
};

const wantedLines = (row: SymbolRow, act: Actions): TemplateResult => {
  const {wanted, module} = row;
  const path = wanted?.paths?.[0];
  const given = module.symbols;
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
    ${given?.file ? givenLine(given, wanted?.debug_id ?? '') : nothing}
    ${given?.forcible ? anyway(row, act) : nothing}
    ${alternative(row)}
    ${wanted?.why ? html`<dt></dt><dd>${visible(sentence(wanted.why))}</dd>` : nothing}
  `;
};

const givenLine = ({given_id: id, file, bytes}: Symbols, wanted: string): TemplateResult => html`
  <dt>Given</dt>
  <dd>
    ${
      id === null || id === wanted
        ? nothing
        : html`<code class="id given">${idDifference(id, wanted).map(({text, differs}) => (differs ? html`<u>${visible(text)}</u>` : visible(text)))}</code>`
    }
    <code>${visible(file ?? '')}</code> <span class="quiet">${bytes > 0 ? size(bytes) : nothing}</span>
  </dd>
`;

const anyway = ({module, index}: SymbolRow, act: Actions): TemplateResult => {
  const [words, button] = module.loaded_symbols
    ? ['Used although it is of another build: its names are likely wrong.', 'Do not use it']
    : ['Its names would likely be wrong.', 'Use anyway'];
  return html`<dt></dt>
    <dd>
      <span>${words}</span>
      <button class="link tap" aria-label="${button}: symbols of another build for ${visibleRow(module.filename)}" @click=${() => act.useAnyway(index, !module.loaded_symbols)}>${button}</button>
    </dd>`;
};

// A binary of the same build would do as well; its id tells which.
const alternative = ({wanted}: SymbolRow): TemplateResult | typeof nothing =>
  wanted?.code_id
    ? html`<dt>For</dt>
        <dd><span>${visible(wanted.code_file)}, build <code>${visible(wanted.code_id)}</code></span></dd>`
    : nothing;
