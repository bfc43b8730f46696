// What was open before, at hand until something is opened; and folders that symbols came from, beside the symbols that are missing.
import './again.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import {visibleRow} from '../text/text.ts';
import {againWords} from './again.ts';

/** Opens what was open when the page was closed. */
export const again = ({again: {offer}}: Pick<State, 'again'>, act: Actions): TemplateResult | typeof nothing =>
  offer.length === 0
    ? nothing
    : html`<p class="again region-body">
        <button class="button primary" id="again" @click=${() => void act.sessions.again()}>${againWords(offer)}</button>
        <button class="link tap" @click=${() => void act.sessions.forget()}>Forget</button>
        <span class="quieter">The browser asks whether this page may read the files. It keeps where they are, not what they hold.</span>
      </p>`;

/** Reads folders that symbols came from before. */
export const foldersAgain = (
  {again: {folders}}: Pick<State, 'again'>,
  act: Actions,
): TemplateResult | typeof nothing =>
  folders.length === 0
    ? nothing
    : html`<button class="button" @click=${() => void act.sessions.useFolders()}>Use ${folders.map(visibleRow).join(', ')} again</button>`;
