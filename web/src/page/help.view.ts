// All keys, and the switch for single keys: speech input would press them by accident.
import './help.css';
import {html, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import {dialog} from '../widgets/popover.view.ts';
import {keys} from './keys.ts';

// The number of this build, which web/vite.config.ts puts in place of the name. Tests run without it.
declare const __VERSION__: string | undefined;

const version = typeof __VERSION__ === 'string' ? __VERSION__ : 'dev';

const glyphs: Readonly<Record<string, string>> = {ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc', ' ': 'Space'};

export const help = (state: State, act: Actions): TemplateResult => html`
  <dialog class="help" id="help" aria-labelledby="help-title">
    <div class="sheet-head">
      <h2 id="help-title">Keys</h2>
      <button class="button" @click=${() => dialog('help')?.close()}>Close</button>
    </div>
    <dl class="keys">
      ${keys.map(key => html`<dt>${key.keys.map(cap)}</dt><dd>${key.does}</dd>`)}
    </dl>
    <p class="quieter">Arrows, Enter and Space act on a row that has the focus. Single keys are off while a field has it.</p>
    <label><input type="checkbox" .checked=${state.settings.singleKeys} @change=${act.singleKeys} /> Single keys are on</label>
    <p class="quieter">Crashglass ${version}</p>
  </dialog>
`;

const cap = (key: string): TemplateResult => html`<kbd>${glyphs[key] ?? key}</kbd> `;

export const openHelp = (): void => dialog('help')?.showModal();
