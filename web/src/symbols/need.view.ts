// The files to get for the shown stack: one line per module, with the command. The most useful ones come first.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {type OpenDump, openKey, type State} from '../app/state.ts';
import {counted, visible, visibleRow} from '../text/text.ts';
import {choice} from '../widgets/field.view.ts';
import {fetchLine, type Get, getting, inSentence, shells} from './get.ts';
import {ids} from './ids.view.ts';
import {describeSymbols, lostIn, type SymbolRow, type SymbolView} from './symbols.ts';
import {symbolFiles, symsButton} from './syms.view.ts';

type Seen = Pick<State, 'place' | 'opened' | 'layout' | 'symbols'>;

// More lines than this are put away.
const mostRows = 3;

/** The glyph of a module's state. */
const mark = ({state}: SymbolRow): TemplateResult =>
  html`<span class="mark ${state.mark}" aria-hidden="true">${state.glyph}</span>`;

const commandsKey = (dump: OpenDump): string => openKey(dump, 0, 'own-server');

/** Shows or hides commands for other shells, and for a server of the user's own. */
export const commandsButton = ({opened}: Seen, dump: OpenDump, act: Actions): TemplateResult => {
  const key = commandsKey(dump);
  return html`<button class="link tap" aria-expanded=${opened.has(key)} @click=${() => act.toggle(key)}>Other commands</button>`;
};

const firstOf = ({rows, others}: SymbolView): readonly SymbolRow[] =>
  rows.length + others.length === mostRows + 1 ? [...rows, ...others] : rows.slice(0, mostRows);

/** The modules that lack symbols, the first few or all, and below them further useful files. */
export const needs = (view: SymbolView, whole: boolean, state: Seen, dump: OpenDump, act: Actions): TemplateResult => {
  const all = [...view.rows, ...view.others];
  const shown = whole ? all : firstOf(view);
  const paths = all.flatMap(row => row.wanted?.paths?.slice(0, 1) ?? []);
  return html`
    <ul class="wanted">${shown.map(row => need(row, state, dump, act))}</ul>
    ${whole && state.opened.has(commandsKey(dump)) ? html`${shellChoice(state, act)} ${ownServer(paths, act)}` : nothing}
  `;
};

const ownServer = (paths: readonly string[], act: Actions): TemplateResult => {
  const lines = paths.map(fetchLine).filter(line => line !== null);
  const text = `${lines.join('\n')}\n`;
  return html`<div class="fetch">
    <p class="quieter">
      Set <code>SYMBOL_SERVER</code> to the server’s address in a shell, run these lines, and drop the folder
      <code>symbols</code> here.
      <button class="link tap" @click=${() => act.copy(text, `${counted(lines.length, 'command')} copied`)}>Copy</button>
    </p>
    <pre tabindex="0">${text}</pre>
  </div>`;
};

/** The choice of the shell for commands. */
const shellChoice = (state: Seen, act: Actions): TemplateResult | typeof nothing =>
  state.layout.width === 'narrow'
    ? nothing
    : html`<label class="quiet shells">Commands for ${choice(null, shells, state.symbols.shell, act.shell)}</label>`;

/** One module: a line with the command; its name shows the ids below. */
const need = (row: SymbolRow, state: Seen, dump: OpenDump, act: Actions): TemplateResult => {
  const {wanted, module, index} = row;
  if (!wanted) return settled(row, state, dump, act);
  const thread = dump.report.threads?.[state.place?.thread ?? -1];
  const get = getting(dump.report, module, wanted, state.symbols.shell, thread !== undefined && lostIn(thread, index));
  const key = openKey(dump, index, 'ids');
  const showsIds = (row.state.mark === 'wrong') !== state.opened.has(key);
  const name = visibleRow(module.filename);
  return html`<li>
    ${mark(row)}
    <button class="link tap who cut" aria-expanded=${showsIds} aria-label="Ids of ${name}" title=${name} @click=${() => act.toggle(key)}>${name}</button>
    <span class="frames">${framesWords(row)}</span>
    <span class="what">${what(get, row)} ${commandOf(get, state)}</span>
    ${copyButton(row, get, state, act)}
    ${showsIds ? ids(row, act) : nothing}
  </li>`;
};

const framesWords = ({frames, wanted}: SymbolRow): string =>
  frames > 0 ? counted(frames, 'frame') : `${counted(wanted?.frames ?? 0, 'frame')} elsewhere`;

// "atlas.pdb and atlas.exe of 2.14.0, from the build folder: not on public servers".
const what = ({files, where, note}: Get, {module, state}: SymbolRow): TemplateResult => {
  const version = module.version && /[1-9]/.test(module.version) ? ` of ${visibleRow(module.version)}` : '';
  const names = files.map((file, i) => html`${i > 0 ? ' and ' : nothing}<code>${visibleRow(file)}</code>`);
  const missing = state.mark === 'missing' ? 'visually-hidden' : '';
  return html`<span class="files cut">${names}${version}, from ${visible(inSentence(where))}${note === '' ? nothing : `: ${note}`} <span class="state ${state.mark} ${missing}">${state.words}</span></span>`;
};

const commandOf = ({command}: Get, {layout}: Seen): TemplateResult | typeof nothing => {
  if (layout.width === 'narrow') return nothing;
  return command === null
    ? html`<span class="quiet cut">No command gets it: copy the file from there, and add it here.</span>`
    : html`<code class="command cut" title=${command}>${command}</code>`;
};

const copyButton = (row: SymbolRow, get: Get, {layout}: Seen, act: Actions): TemplateResult | typeof nothing => {
  if (layout.width === 'narrow') return link(get, act);
  const {command} = get;
  return command === null
    ? nothing
    : html`<button class="link tap act" aria-label="Copy command for ${visibleRow(row.module.filename)}" @click=${() => act.copy(command, 'Command copied')}>Copy command</button>`;
};

// A phone runs no commands, but a link can be sent to a computer.
const link = ({urls}: Get, act: Actions): TemplateResult | typeof nothing =>
  urls.length === 0
    ? nothing
    : html`<button class="button act" @click=${() => act.copy(urls.join('\n'), urls.length === 1 ? 'Link copied' : 'Links copied')}>Copy ${urls.length === 1 ? 'link' : 'links'}</button>`;

const settled = (row: SymbolRow, state: Seen, dump: OpenDump, act: Actions): TemplateResult => html`<li>
  ${mark(row)}
  <span class="who cut">${visibleRow(row.module.filename)}</span>
  <span class="frames">${counted(row.frames, 'frame')}</span>
  <span class="what"><span><span class="state ${row.state.mark}">${row.state.words}</span>: ${describeSymbols(row.module)}${symbolFiles(row.module)}</span></span>
  ${symsButton(state, dump, row.index, act)}
</li>`;
