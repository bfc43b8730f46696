// What the browser keeps of symbol files, and where the files are that are open, in one line at the end of the page each.
import './stored.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import {size} from '../text/format.ts';
import {counted} from '../text/text.ts';

export const stored = (state: State, act: Actions): unknown => html`${indexes(state, act)}${files(state, act)}`;

const files = ({again}: State, act: Actions): TemplateResult | typeof nothing =>
  again.stored === 0
    ? nothing
    : html`<p class="stored quiet">
        This browser keeps where ${counted(again.stored, 'file or folder', 'files or folders')} of this tab ${again.stored === 1 ? 'is' : 'are'}, to open
        ${again.stored === 1 ? 'it' : 'them'} again after a reload, and nothing of the content. <button class="link tap" @click=${() => void act.sessions.forget()}>Forget</button>
      </p>`;

const indexes = ({symbols: {stored}}: State, act: Actions): TemplateResult | typeof nothing =>
  stored === null || stored.files === 0
    ? nothing
    : html`<p class="stored quiet">
        ${stored.lasting ? 'This browser keeps' : 'This tab keeps, until it is closed,'}
        ${counted(stored.files, 'index', 'indexes')} of symbol files, ${size(stored.bytes)}: where records stand and for which
        addresses, without any name. <button class="link tap" @click=${act.forget}>Clear</button>
      </p>`;
