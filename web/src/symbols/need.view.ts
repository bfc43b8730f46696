// The files to get for the shown stack: one line per module. The most useful ones are open, with the command.
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

/** The modules that lack symbols, and below them further useful files. */
export const needs = (view: SymbolView, state: Seen, dump: OpenDump, act: Actions): TemplateResult => {
  const all = [...view.rows, ...view.others];
  const first = all.length === mostRows + 1 ? all : view.rows.slice(0, mostRows);
  const rest = all.filter(row => !first.includes(row));
  const restKey = openKey(dump, 0, 'more-modules');
  const shown = state.opened.has(restKey) ? all : first;
  const serverKey = openKey(dump, 0, 'own-server');
  const paths = all.flatMap(row => row.wanted?.paths?.slice(0, 1) ?? []);
  return html`
    <ul class="wanted">${shown.map(row => need(row, view.most.has(row.index), state, dump, act))}</ul>
    <p class="wanted-more">
      ${rest.length === 0 ? nothing : html`<button class="link tap" aria-expanded=${state.opened.has(restKey)} @click=${() => act.toggle(restKey)}>${state.opened.has(restKey) ? 'Fewer modules' : counted(rest.length, 'more module')}</button>`}
      <button class="link tap" aria-expanded=${state.opened.has(serverKey)} @click=${() => act.toggle(serverKey)}>Other commands</button>
    </p>
    ${state.opened.has(serverKey) ? html`${shellChoice(state, act)} ${ownServer(paths, act)}` : nothing}
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

/** One module: a line, and below it the command and the ids when it is open. */
const need = (row: SymbolRow, most: boolean, state: Seen, dump: OpenDump, act: Actions): TemplateResult => {
  const {wanted, module, index} = row;
  if (!wanted) return settled(row, state, dump, act);
  const thread = dump.report.threads?.[state.place?.thread ?? -1];
  const get = getting(dump.report, module, wanted, state.symbols.shell, thread !== undefined && lostIn(thread, index));
  const [key, idKey] = [openKey(dump, index, 'need'), openKey(dump, index, 'ids')];
  const isOpen = (most || row.state.mark === 'wrong') !== state.opened.has(key);
  const showsIds = isOpen && (row.state.mark === 'wrong' || state.opened.has(idKey));
  const name = visibleRow(module.filename);
  return html`<li class=${isOpen ? 'open' : ''}>
    ${mark(row)}
    <span class="who cut" title=${name}>${name}</span>
    <span class="frames">${framesWords(row)}</span>
    <span class="what">${what(get, row, isOpen)}</span>
    ${
      isOpen
        ? html`<button class="link tap act" aria-expanded=${showsIds} aria-label="Ids of ${name}" @click=${() => act.toggle(idKey)}>Ids</button>`
        : html`<button class="link tap act" aria-label="Show what to get for ${name}" @click=${() => act.toggle(key)}>Show</button>`
    }
    ${isOpen ? command(row, get, state, act) : nothing}
    ${showsIds ? ids(row, act) : nothing}
  </li>`;
};

const framesWords = ({frames, wanted}: SymbolRow): string =>
  frames > 0 ? counted(frames, 'frame') : `${counted(wanted?.frames ?? 0, 'frame')} elsewhere`;

// "atlas.pdb and atlas.exe of this build 2.14.0: not on public servers".
const what = ({files, where, note}: Get, {module, state}: SymbolRow, isOpen: boolean): TemplateResult => {
  const version = module.version && /[1-9]/.test(module.version) ? ` ${visibleRow(module.version)}` : '';
  const names = files.map((file, i) => html`${i > 0 ? ' and ' : nothing}<code>${visibleRow(file)}</code>`);
  const rest = isOpen ? (note === '' ? '' : `: ${note}`) : ` from ${visible(inSentence(where))}`;
  const doubt = state.mark === 'missing' ? nothing : html` <span class="state ${state.mark}">${state.words}</span>`;
  return html`${names} of this build<span class="quiet">${version}</span>${rest}${isOpen ? nothing : doubt}`;
};

const command = (row: SymbolRow, get: Get, state: Seen, act: Actions): TemplateResult => html`
  <span class="state ${row.state.mark}">${row.state.words}</span>
  <span class="from cut">${visible(get.where)}</span>
  ${
    state.layout.width === 'narrow'
      ? link(get, act)
      : get.command === null
        ? html`<span class="none quiet">No command gets it: copy the file from there, and add it here.</span>`
        : html`<code class="command cut" title=${get.command}>${get.command}</code
            ><button class="button act" aria-label="Copy command for ${visibleRow(row.module.filename)}" @click=${() => act.copy(get.command ?? '', 'Command copied')}>Copy command</button>`
  }
`;

// A phone runs no commands, but a link can be sent to a computer.
const link = ({urls}: Get, act: Actions): TemplateResult | typeof nothing =>
  urls.length === 0
    ? nothing
    : html`<button class="button" @click=${() => act.copy(urls.join('\n'), urls.length === 1 ? 'Link copied' : 'Links copied')}>Copy ${urls.length === 1 ? 'link' : 'links'}</button>`;

const settled = (row: SymbolRow, state: Seen, dump: OpenDump, act: Actions): TemplateResult => html`<li>
  ${mark(row)}
  <span class="who cut">${visibleRow(row.module.filename)}</span>
  <span class="frames">${counted(row.frames, 'frame')}</span>
  <span class="what"><span class="state ${row.state.mark}">${row.state.words}</span>: ${describeSymbols(row.module)}${symbolFiles(row.module)}</span>
  ${symsButton(state, dump, row.index, act)}
</li>`;
