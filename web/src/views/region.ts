// A region of the page: a heading with a few words, and what it holds. Long tables show their first rows until asked.
import './region.css';
import {html, type nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {thin} from '../logic/text.ts';

export const region = (id: string, title: string, words: unknown, content: unknown): TemplateResult => html`
  <section class="region" id=${id} tabindex="-1" aria-labelledby="${id}-title">
    <div class="region-head">
      <h2 id="${id}-title">${title}</h2>
      <span class="quiet">${words}</span>
    </div>
    ${content}
  </section>
`;

export interface Column {
  readonly title: string;
  /** Classes of the column's cells: mono, end, wide. */
  readonly classes: string;
}

/** A table of data with row headers in its first column. */
export const table = (
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
): TemplateResult => html`
  <div class="scroll-x" tabindex="0" role="group" aria-label=${caption}>
    <table class="data">
      <caption class="visually-hidden">${caption}</caption>
      <thead>
        <tr>
          ${columns.map(column => html`<th scope="col" class=${column.classes}>${column.title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          cells => html`<tr>
            ${cells.map((cell, i) => (i === 0 ? html`<th scope="row" class=${columns[i]?.classes ?? ''}>${cell}</th>` : html`<td class=${columns[i]?.classes ?? ''}>${cell}</td>`))}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>
`;

/** Rows laid out at once; more only when asked, because a browser lays out every one. */
export const mostRows = 500;

/** The button that shows the rest of a long table. */
export const showAll = (count: number, key: string, act: Actions): TemplateResult | typeof nothing =>
  html`<p class="region-body"><button class="button" @click=${() => act.toggle(key)}>Show all ${thin(count)}</button></p>`;
