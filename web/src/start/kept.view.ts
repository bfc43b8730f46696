// What the browser keeps of symbol files, in one line at the end of the page, and the button that clears it.
import './kept.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import {size} from '../text/format.ts';
import {counted} from '../text/text.ts';

export const kept = ({kept}: State, act: Actions): TemplateResult | typeof nothing =>
  kept === null || kept.files === 0
    ? nothing
    : html`<p class="kept quiet">
        ${kept.lasting ? 'This browser keeps' : 'This tab keeps, until it is closed,'}
        ${counted(kept.files, 'index', 'indexes')} of symbol files, ${size(kept.bytes)}: where records stand and for which
        addresses, without any name. <button class="link tap" @click=${act.forget}>Clear</button>
      </p>`;
