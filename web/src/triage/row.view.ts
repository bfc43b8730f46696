// The rows of the list: a group of dumps, and a crash that only the baseline has.
import {html, nothing, svg, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {yearOf} from '../text/format.ts';
import {inMiddle, tilde} from '../text/names.ts';
import {counted, visibleRow} from '../text/text.ts';
import type {Change, Old} from './baseline.ts';
import {barCount, barOf, bars, type Span} from './spark.ts';
import type {ChangeOf} from './table.ts';
import {type Bucket, callers, distinct, lastOf, readable, wanting, writtenText} from './triage.ts';

/** What all rows share. */
export interface Frame {
  readonly span: Span | null;
  readonly newest: ReadonlyMap<string, number>;
  /** The year of the last dump, which dates of the list leave out. */
  readonly year: number;
  readonly since: ChangeOf | null;
  /** The key of the selected row. */
  readonly selected: string | null;
}

export const bucketRow = (row: Bucket, {span, newest, year, since, selected}: Frame, act: Actions): TemplateResult => {
  const change = since?.(row) ?? null;
  const [program, versions] = [distinct(row, 'program'), distinct(row, 'version')];
  const name = row.title === '' ? 'No crash found' : inMiddle(row.title, signatureLetters);
  return html`
    <tr class=${row.key === selected ? 'selected' : ''} data-latest=${latest(row)} @click=${() => act.pick(row.key)}>
      ${sinceCell(change)}
      <td class="count">${row.crashes.length}</td>
      <th scope="row"
        ><button class="signature" aria-current=${row.key === selected ? 'true' : nothing} title=${visibleRow(row.title)}
          ><code><b>${marked(name)}</b>${row.detail === '' ? nothing : row.detail.split(callers).map(name => html` <span class="quiet">← ${marked(name)}</span>`)}</code></button
        >${row.title !== '' && wanting(row) > 0 ? html`<span class="missing" title="Symbols would help"><span aria-hidden="true">?</span><span class="visually-hidden">wants symbols</span></span>` : nothing}</th
      >
      <td class="what"><span class="cut">${visibleRow(distinct(row, 'what'))}</span></td>
      <td class="program"><span class="cut">${visibleRow(`${program} ${versions}`.trim())}</span></td>
      <td class="spark">${span ? spark(row, span, newest.get(program) ?? null, change) : nothing}</td>
      <td class="last">${lastWords(row, year)}</td>
    </tr>
  `;
};

// "21 Nov"
const lastWords = (row: Bucket, year: number): string => {
  const words = writtenText({crashes: row.crashes.filter(({written}) => written === lastOf(row))});
  return yearOf(lastOf(row)) === year ? words.replace(/ \d+$/, '') : words;
};

const latest = ({crashes}: Bucket): number =>
  crashes.reduce((a, b) => ((b.written ?? -1) > (a.written ?? -1) ? b : a)).ordinal;

const barWidth = 8;

// Heights show numbers of dumps within the row.
const spark = (row: Bucket, span: Span, newest: number | null, change: Change | null): TemplateResult => {
  const counts = bars(row, span);
  const most = Math.max(...counts, 1);
  const tick =
    newest === null
      ? nothing
      : svg`<line x1=${barWidth * barOf(span, newest)} x2=${barWidth * barOf(span, newest)} y2="20"></line>`;
  return html`<svg class=${change?.since === 'new' || change?.since === 'back' ? 'fresh' : ''} width=${barWidth * barCount} height="20" role="img" aria-label=${`${counted(row.crashes.length, 'dump')}, ${writtenText(row)}`}
    >${tick}${counts.map((n, i) => (n === 0 ? nothing : svg`<rect x=${barWidth * i + 1} y=${20 - 2 - (16 * n) / most} width="6" height=${2 + (16 * n) / most}></rect>`))}</svg
  >`;
};

const sinceWords: Readonly<Record<Change['since'], string>> = {
  new: 'New',
  back: 'Back',
  none: 'No baseline',
  grown: 'Grown',
  known: 'Known',
  gone: 'Gone',
};

const sinceCell = (change: Change | null): TemplateResult =>
  html`<td class="since ${change?.since ?? ''}">${change === null ? nothing : html`${sinceWords[change.since]}${change.before > 0 ? html` <span class="quiet">from ${change.before}</span>` : nothing}`}</td>`;

export const goneRow = (old: Old): TemplateResult => html`
  <tr class="gone">
    ${sinceCell({since: 'gone', before: old.count})}
    <td class="count">0</td>
    <th scope="row"><code>${marked(inMiddle(readable(old.signature), signatureLetters))}</code></th>
    <td class="what"><span class="cut">${visibleRow(old.what.join(', '))}</span></td>
    <td class="program"><span class="cut">${visibleRow(old.modules.join(', '))}</span></td>
    <td class="spark"></td><td class="last"></td>
  </tr>
`;

// Longer signatures would push the other columns away. Copies of the table have the whole signature.
const signatureLetters = 160;

/** A name of the analysis, its marks in the colour of doubt. */
export const marked = (text: string): unknown =>
  visibleRow(text)
    .split(tilde)
    .map((part, i) => html`${i > 0 ? html`<span class="tilde">${tilde}</span>` : nothing}${part}`);
