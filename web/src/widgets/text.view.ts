// Text out of a dump, as every view must show it: visible, and cut where a row has no room for it.
import {html, nothing, type TemplateResult} from 'lit-html';
import {inMiddle, pieces, tilde} from '../text/names.ts';
import {capital, codeWords, rowLength, sentence, visible, visibleRow} from '../text/text.ts';
import './text.css';

/** All of a text; it wraps. */
export const whole = (text: string): string => visible(text);

/** A sentence out of the analysis, its code in the type of code. */
export const sentenceWithCode = (text: string): unknown => withCode(sentence(text));

/** Words out of the analysis, the same way. */
export const withCode = (text: string): unknown =>
  codeWords(visible(text)).map(w => (w.code ? html`<code>${w.text}</code>` : w.text));

/** A text in a row, with all of it on hover when it was cut. */
export const inRow = (text: string): TemplateResult =>
  html`<span class="cut" title=${text.length > 20 ? visibleRow(text) : nothing}>${visibleRow(text)}</span>`;

// Pieces are boxes of their own, over which a browser's search does not reach: a name that fits stays in one.
const fits = 40;

/** A function's name in a row: its arguments go first when there is no room, then template arguments, scopes, and its own name last. */
export function nameInRow(name: string): TemplateResult {
  const short = inMiddle(name, rowLength);
  const parts = name.length <= fits ? [] : pieces(short);
  const title = name.length > 20 ? visibleRow(name) : nothing;
  if (parts.length < 2) return html`<span class="cut" title=${title}>${visible(short)}</span>`;
  return html`<span class="pieces" title=${title}
    >${parts.map(({text, cut}) => html`<span class="piece ${cut}">${visible(text)}</span>`)}</span
  >`;
}

/** The mark before a name or step that may be wrong, with the reason; nothing without one. */
export const doubtful = (why: string | null): TemplateResult | typeof nothing =>
  why === null ? nothing : html`<span class="tilde" title=${capital(why)}>${tilde}</span>`;

/** A file and line in a row: the file may be cut, the line never. */
export function placeInRow(text: string): TemplateResult {
  const colon = text.lastIndexOf(':');
  const file = colon < 0 ? text : text.slice(0, colon);
  const line = colon < 0 ? '' : text.slice(colon);
  return html`<span class="pieces" title=${text.length > 20 ? visibleRow(text) : nothing}
    ><span class="piece last">${visibleRow(file)}</span><span class="keep">${line}</span></span
  >`;
}
