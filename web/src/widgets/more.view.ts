// Long lists in chunks: a browser lays out every row of the document, so only requested rows exist.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import {thin} from '../text/text.ts';

/** What these views read of the state. */
type Seen = Pick<State, 'lists'>;

/** Rows of a list at first, and of each further step: a browser draws 100 within one frame. */
export const chunk = 100;

/** The rows of a list that are shown now. */
export const rowsShown = <T>(state: Seen, key: string, rows: readonly T[]): readonly T[] =>
  rows.slice(0, state.lists.shown.get(key) ?? chunk);

/** The buttons below a list that goes on; what says which rows those are, where a list has two kinds. */
export const more = (
  state: Seen,
  key: string,
  count: number,
  act: Actions,
  what = '',
): TemplateResult | typeof nothing => {
  const shown = state.lists.shown.get(key) ?? chunk;
  if (shown >= count) return nothing;
  const next = Math.min(chunk, count - shown);
  return html`<p class="region-body more">
    <button class="button" @click=${() => act.showMore(key, shown + next)}>Show ${thin(next)} more${what}</button>
    <span class="quiet">${thin(shown)} of ${thin(count)}${what}</span>
  </p>`;
};
