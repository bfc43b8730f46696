// A region of the page: a heading with a few words, and its content; tables, and long lists in chunks: a browser lays out every row of the
// document, so only requested rows exist.
import './region.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import {thin} from '../text/text.ts';

export const region = (id: string, title: string, words: unknown, content: unknown): TemplateResult => html`
  <section class="region" id=${id} tabindex="-1" aria-labelledby="${id}-title">
    <div class="region-head">
      <h2 id="${id}-title">${title}</h2>
      <span class="quiet">${words}</span>
    </div>
    ${content}
  </section>
`;

/**
 * A column: its title, the classes of its cells (mono, end, wide; spare, when it goes first where room is short), and what stands before each cell
 * where there is no room for columns, if that is not the title.
 */
export type Column = readonly [title: string, classes?: string, short?: string];

/** A table of data with row headers in its first column. */
export const table = (
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
): TemplateResult => html`
  <div class="scroll-x" tabindex="0" role="group" aria-label=${caption}>
    <table class="data blocks">
      <caption class="visually-hidden">${caption}</caption>
      <thead>
        <tr>
          ${columns.map(([title, classes = '']) => html`<th scope="col" class=${classes}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          cells => html`<tr>
            ${columns.map(([title, classes = '', short = title], i) => (i === 0 ? html`<th scope="row" class=${classes}>${cells[i]}</th>` : html`<td class=${classes} data-column=${short}>${cells[i]}</td>`))}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>
`;

/** A long list as a table, in chunks: its name in the state is key. */
export const list = <T>(
  state: Pick<State, 'lists'>,
  key: string,
  caption: string,
  columns: readonly Column[],
  rows: readonly T[],
  cells: (row: T) => readonly unknown[],
  act: Actions,
): TemplateResult =>
  html`${table(caption, columns, rowsShown(state, key, rows).map(cells))} ${more(state, key, rows.length, act)}`;

/** Rows of a list at first, and of each further step: a browser draws 100 within one frame. */
export const chunk = 100;

/** The rows of a list that are shown now. */
export const rowsShown = <T>(state: Pick<State, 'lists'>, key: string, rows: readonly T[]): readonly T[] =>
  rows.slice(0, state.lists.shown.get(key) ?? chunk);

/** The buttons below a list that goes on; what says which rows those are, where a list has two kinds. */
export const more = (
  state: Pick<State, 'lists'>,
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
