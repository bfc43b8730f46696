// What the browser keeps of symbol files, and where the files are that are open, in one line at the end of the page each.
import './kept.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import {size} from '../text/format.ts';
import {counted} from '../text/text.ts';

export const kept = (state: State, act: Actions): unknown => html`${indexes(state, act)}${files(state, act)}`;

const files = ({again}: State, act: Actions): TemplateResult | typeof nothing =>
  again.kept === 0
    ? nothing
    : html`<p class="kept quiet">
        This browser keeps where ${counted(again.kept, 'file or folder', 'files or folders')} of this tab ${again.kept === 1 ? 'is' : 'are'}, to open
        ${again.kept === 1 ? 'it' : 'them'} again after a reload, and nothing of the content. <button class="link tap" @click=${() => void act.sessions.forget()}>Forget</button>
      </p>`;

const indexes = ({symbols: {kept}}: State, act: Actions): TemplateResult | typeof nothing =>
  kept === null || kept.files === 0
    ? nothing
    : html`<p class="kept quiet">
        ${kept.lasting ? 'This browser keeps' : 'This tab keeps, until it is closed,'}
        ${counted(kept.files, 'index', 'indexes')} of symbol files, ${size(kept.bytes)}: where records stand and for which
        addresses, without any name. <button class="link tap" @click=${act.forget}>Clear</button>
      </p>`;
