// A region of the page: a heading with a few words, and its content; and jumps to a region.
import './region.css';
import {html, type TemplateResult} from 'lit-html';

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
  /** What stands before each cell where there is no room for columns; otherwise the title. */
  readonly short?: string;
  /** Classes of the column's cells: mono, end, wide; spare, when it goes first where room is short. */
  readonly classes: string;
}

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
          ${columns.map(column => html`<th scope="col" class=${column.classes}>${column.title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          cells => html`<tr>
            ${cells.map((cell, i) => (i === 0 ? html`<th scope="row" class=${columns[i]?.classes ?? ''}>${cell}</th>` : html`<td class=${columns[i]?.classes ?? ''} data-column=${columns[i]?.short ?? columns[i]?.title ?? ''}>${cell}</td>`))}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>
`;

/** Scrolls to a section, opens it and what it is in, and gives it the focus, for those who go on by keys. */
export function goToSection(id: string): void {
  const target = document.getElementById(id);
  const closed = target?.closest('details') ?? target?.querySelector<HTMLDetailsElement>(':scope > details');
  if (closed) closed.open = true;
  target?.scrollIntoView();
  target?.focus({preventScroll: true});
}

export function scrollToSection(event: Event, id: string): void {
  event.preventDefault();
  goToSection(id);
}
