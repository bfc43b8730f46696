// Names with the marks of doubt that the analysis put before them.
import {html, nothing} from 'lit-html';
import {tilde} from '../text/names.ts';
import {visibleRow} from '../text/text.ts';

/** A name of the analysis, its marks in the colour of doubt. */
export const marked = (text: string): unknown =>
  visibleRow(text)
    .split(tilde)
    .map((part, i) => html`${i > 0 ? html`<span class="missing">${tilde}</span>` : nothing}${part}`);
