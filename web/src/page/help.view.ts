// All keys, and the switch for single keys: speech input would press them by accident.
import './help.css';
import {html, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import {version} from '../version.ts';
import {keys} from './keys.ts';

const glyphs: Readonly<Record<string, string>> = {ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc', ' ': 'Space'};

export const help = (state: State, act: Actions): TemplateResult => html`
  <dialog class="help" id="help" aria-labelledby="help-title">
    <div class="help-head">
      <h2 id="help-title">Keys</h2>
      <button class="button" @click=${closeHelp}>Close</button>
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

const dialog = (): HTMLDialogElement | null => {
  const found = document.getElementById('help');
  return found instanceof HTMLDialogElement ? found : null;
};

export const openHelp = (): void => dialog()?.showModal();

const closeHelp = (): void => dialog()?.close();
