// Symbols: one line if they are complete; otherwise the missing files, by their paths on symbol
// servers, and why an added file was not used.
import './symbols.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {type OpenDump, openKey, type State} from '../app/state.ts';
import {memo} from '../text/memo.ts';
import {counted, thin, visibleRow} from '../text/text.ts';
import {filePicker} from '../widgets/files.view.ts';
import {scrollToSection} from '../widgets/region.view.ts';
import {askButton} from './fetch.view.ts';
import {mark, need, needs, shellChoice} from './need.view.ts';
import {brings, type SymbolView, symbolView} from './symbols.ts';
import {together} from './syms.view.ts';

/** What these views read of the state. */
type Seen = Pick<State, 'place' | 'opened' | 'layout' | 'symbols' | 'privacy' | 'again'>;

const viewOf = memo(symbolView);

export const symbols = (state: Seen, dump: OpenDump, act: Actions): TemplateResult | typeof nothing => {
  const thread = dump.report.threads?.[state.place?.thread ?? -1] ?? null;
  const view = viewOf(dump.report, thread);
  if (view.rows.length === 0 && view.others.length === 0) return nothing;
  return html`
    <section class="symbols" aria-labelledby="symbols-title">
      ${view.urgent ? list(view, state, dump, act) : line(view, state, dump, act)}
      ${view.urgent || view.others.length === 0 || !showsFiles(state, dump) ? nothing : others(view, state, dump, act)}
    </section>
  `;
};

// Content that would move a stack in view waits until it is requested; on a phone it would push the
// stack off the screen.
const waits = (state: Seen, dump: OpenDump): boolean => dump.early || state.layout.width === 'narrow';

const showsFiles = (state: Seen, dump: OpenDump): boolean => !waits(state, dump) || state.opened.has(filesKey(dump));

const filesKey = (dump: OpenDump): string => openKey(dump, 0, 'symbols');

const showFiles = (state: Seen, dump: OpenDump, act: Actions): TemplateResult | typeof nothing =>
  waits(state, dump)
    ? html`<button class="button" aria-expanded=${showsFiles(state, dump)} @click=${() => act.toggle(filesKey(dump))}>${showsFiles(state, dump) ? 'Hide' : 'Show'} files</button>`
    : nothing;

const line = (view: SymbolView, state: Seen, dump: OpenDump, act: Actions): TemplateResult => html`
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

// A phone shows one row until the user opens it: the stack begins on the first screen.
const folded = (view: SymbolView, state: Seen, dump: OpenDump, act: Actions): TemplateResult => html`
  <div class="symbols-head folded">
    <h2 id="symbols-title">Symbols</h2>
    <span class="quieter cut">${view.rows.length === 0 ? view.sum : `${view.matched} of ${counted(view.rows.length, 'module')}`}</span>
    <span class="end">${showFiles(state, dump, act)}</span>
  </div>
`;

const list = (view: SymbolView, state: Seen, dump: OpenDump, act: Actions): TemplateResult => {
  if (state.layout.width === 'narrow' && !showsFiles(state, dump)) return folded(view, state, dump, act);
  const paths = [...view.rows, ...view.others].flatMap(row => row.wanted?.paths?.slice(0, 1) ?? []);
  return html`
    <div class="symbols-head">
      <h2 id="symbols-title">Symbols</h2>
      <span class="quieter">
        ${view.rows.length === 0 ? nothing : `${view.matched} of ${counted(view.rows.length, 'module')} on this stack.`} ${view.sum}
      </span>
      <span class="end">
        ${showFiles(state, dump, act)}
        ${showsFiles(state, dump) ? shellChoice(state, act) : nothing}
        ${showsFiles(state, dump) ? html`<button class="button" @click=${() => act.copy(`${paths.join('\n')}\n`, `${counted(paths.length, 'path')} copied`)}>Copy list</button>` : nothing}
        ${foldersAgain(state, act)} ${askButton(state, act)} ${filePicker('Add symbol files', null, 'button primary', act)}
      </span>
    </div>
    ${showsFiles(state, dump) ? needs(view, state, dump, act) : nothing}
  `;
};

// Reads the folders of earlier symbols.
const foldersAgain = ({again: {folders}}: Pick<State, 'again'>, act: Actions): TemplateResult | typeof nothing =>
  folders.length === 0
    ? nothing
    : html`<button class="button" @click=${() => void act.sessions.useFolders()}>Use ${folders.map(visibleRow).join(', ')} again</button>`;

const others = (view: SymbolView, state: Seen, dump: OpenDump, act: Actions): TemplateResult => html`
  <details class="others">
    <summary>${counted(view.others.length, 'more file')} wanted</summary>
    <ul class="wanted">
      ${view.others.map(row => need(row, false, state, dump, act))}
    </ul>
  </details>
`;
