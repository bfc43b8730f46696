// Symbols: one line, and the files behind it: what to get for the shown stack, and why an added file was not used.
import './symbols.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {type OpenDump, openKey, type State} from '../app/state.ts';
import {memo} from '../text/maps.ts';
import {counted, thin, visibleRow} from '../text/text.ts';
import {filePicker} from '../widgets/files.view.ts';
import {askButton} from './fetch.view.ts';
import {commandsButton, needs} from './need.view.ts';
import {type SymbolView, symbolView} from './symbols.ts';

type Seen = Pick<State, 'place' | 'opened' | 'layout' | 'symbols' | 'privacy' | 'again'>;

const viewOf = memo(symbolView);

const viewFor = ({place}: Pick<State, 'place'>, dump: OpenDump): SymbolView =>
  viewOf(dump.report, dump.report.threads?.[place?.thread ?? -1] ?? null);

/** What decides whether the files are shown. */
type Opened = Pick<State, 'place' | 'opened' | 'layout'>;

const filesKey = (dump: OpenDump): string => openKey(dump, 0, 'symbols');

// The most useful files are shown where own code lacks names, and all on request. Content that would move a stack in view waits for the request; on a
// phone it would push the stack off the screen.
const showsFirst = (view: SymbolView, {layout}: Opened, dump: OpenDump): boolean =>
  view.own && !dump.early && layout.width !== 'narrow';

/** The state of the shown stack's symbols in one line, which opens the files. */
export const symbolsLink = (state: Opened, dump: OpenDump, act: Actions): TemplateResult | typeof nothing => {
  const view = viewFor(state, dump);
  if (view.rows.length === 0) return nothing;
  const lacking = view.rows.filter(({state: {mark}}) => mark !== 'ok' && mark !== 'unneeded');
  const [first, ...rest] = lacking;
  const names = `: ${visibleRow(first?.module.filename ?? '')}${rest.length > 0 ? ` and ${rest.length} more` : ''}`;
  const words = !first ? ' complete' : first.module.symbols?.state === 'reading' ? ' being read' : names;
  return html`<button class="link tap symbols-link" aria-expanded=${state.opened.has(filesKey(dump))} @click=${() => act.toggle(filesKey(dump))}>
    <span class="mark ${first?.state.mark ?? 'ok'}" aria-hidden="true">${first?.state.glyph ?? '✓'}</span> Symbols${words}
  </button>`;
};

export const symbols = (state: Seen, dump: OpenDump, act: Actions): TemplateResult | typeof nothing => {
  const view = viewFor(state, dump);
  const whole = state.opened.has(filesKey(dump));
  if (view.rows.length + view.others.length === 0 || !(whole || showsFirst(view, state, dump))) return nothing;
  return html`
    <section class="symbols" aria-labelledby="symbols-title">
      <div class="symbols-head">
        <h2 id="symbols-title">${headline(view)}</h2>
        <span class="quieter">${view.rows.length === 0 ? nothing : `Files of exactly this build. ${view.matched} of ${counted(view.rows.length, 'module')} on this stack ${view.matched === 1 ? 'has' : 'have'} symbols.`}</span>
        <span class="end">
          ${whole ? commandsButton(state, dump, act) : nothing} ${foldersAgain(state, act)} ${askButton(state, act)} ${filePicker('Add symbol files', null, 'button primary', act)}
        </span>
      </div>
      ${needs(view, whole, state, dump, act)}
    </section>
  `;
};

const headline = ({lacking, named, frames}: SymbolView): string =>
  lacking === 0 ? 'Symbols' : `${counted(lacking, 'file')} would name ${thin(named)} of ${counted(frames, 'frame')}`;

// Reads the folders of earlier symbols.
const foldersAgain = ({again: {folders}}: Pick<State, 'again'>, act: Actions): TemplateResult | typeof nothing =>
  folders.length === 0
    ? nothing
    : html`<button class="button" @click=${() => void act.sessions.useFolders()}>Use ${folders.map(visibleRow).join(', ')} again</button>`;
