// All open dumps as a table: crashes of one kind are one row, with a link to each dump. Two of them can be chosen to be compared.
import './triage.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {mainThread, type OpenDump, type State} from '../app/state.ts';
import {size} from '../text/format.ts';
import {memo} from '../text/memo.ts';
import {baseName, counted, visibleRow} from '../text/text.ts';
import {more, rowsShown} from '../widgets/more.view.ts';
import {triageCSV, triageMarkdown} from './table.ts';
import {type Bucket, buckets, type Column, type Crash, crashOf, distinct, groupings, shows, wanting} from './triage.ts';

const crashesOf = memo((dumps: readonly OpenDump[]) =>
  dumps.map((dump, i) => crashOf(i, dump.name, dump.report, mainThread(dump.report))),
);

export const triage = (state: State, _: unknown, act: Actions): TemplateResult => {
  const crashes = crashesOf(state.dumps);
  const filter = state.filters.get('crashes') ?? '';
  const rows = buckets(
    crashes.filter(crash => shows(crash, filter)),
    state.grouping,
    state.order,
  );
  const most = Math.max(1, ...rows.map(row => row.crashes.length));
  return html`
    <div class="triage">
      <h1 tabindex="-1" id="title">${headline(crashes)}</h1>
      <p class="quieter">${explained[state.grouping]}</p>
      ${tools(state, filter, rows, act)}
    </div>
    <div class="scroll-x" tabindex="0" role="group" aria-label="Crashes">
      <table class="data blocks triage-table">
        <caption class="visually-hidden">Crashes in groups</caption>
        <thead>
          <tr>
            ${columns.map(([column, title]) => head(state, column, title, act))}
            <th scope="col">Dumps</th>
          </tr>
        </thead>
        <tbody>
          ${rowsShown(state, 'crashes', rows).map(row => bucketRow(state, row, most, act))}
        </tbody>
      </table>
    </div>
    ${rows.length === 0 ? html`<p class="region-body quieter">No crash has this in what is shown of it.</p>` : nothing}
    ${more(state, 'crashes', rows.length, act)}
  `;
};

const explained = {
  signature: 'Crashes with one signature are one row. Signatures follow the rules of Mozilla’s crash-stats.',
  frames: 'Crashes with the same first frames outside the system’s libraries are one row.',
  reason: 'Crashes with the same reason in the same module are one row.',
  none: 'Each crash is a row.',
} as const;

function headline(crashes: readonly Crash[]): string {
  const crashed = crashes.filter(crash => crash.crashed);
  const signatures = new Set(crashed.map(crash => crash.signature)).size;
  const rest = crashes.length - crashed.length;
  const words = `${counted(crashed.length, 'crash', 'crashes')}, ${counted(signatures, 'signature')}`;
  return rest === 0 ? words : `${words}, and ${counted(rest, 'dump')} without a crash`;
}

const tools = (state: State, filter: string, rows: readonly Bucket[], act: Actions): TemplateResult => html`
  <div class="triage-tools">
    <input
      class="field"
      type="search"
      id="filter-crashes"
      aria-label="Filter by function, module, reason or file"
      placeholder="Filter"
      .value=${filter}
      @input=${(e: Event) => e.currentTarget instanceof HTMLInputElement && act.filterList('crashes', e.currentTarget.value)}
    />
    <span class="segments" role="group" aria-label="Group">
      ${groupings.map(([grouping, words]) => html`<button class="button" aria-pressed=${state.grouping === grouping} @click=${() => act.group(grouping)}>${words}</button>`)}
    </span>
    ${comparing(state, act)}
    <button class="button" @click=${() => act.copy(triageMarkdown(rows), 'Table copied as Markdown')}>Copy as Markdown</button>
    <button class="button" @click=${() => act.save('crashes.csv', 'text/csv', triageCSV(rows))}>Download CSV</button>
  </div>
`;

// What is missing to compare is said where one looks for it.
function comparing({chosen}: State, act: Actions): TemplateResult {
  const [a, b] = chosen;
  const ready = a !== undefined && b !== undefined;
  const go = (): void => {
    if (ready) act.select.pair(Math.min(a, b), Math.max(a, b), 'push');
  };
  const words = ready ? '' : chosen.length === 1 ? 'choose one more' : 'choose two dumps';
  return html`<span class="comparing" role="status">
    <button class="button" aria-disabled=${!ready} @click=${go}>Compare</button> <span class="quiet">${words}</span>
  </span>`;
}

const columns: readonly (readonly [Column, string])[] = [
  ['count', 'Crashes'],
  ['signature', 'Signature'],
  ['what', 'What'],
  ['address', 'Address'],
  ['system', 'System'],
  ['symbols', 'Symbols'],
];

// What a row can do without where room is short: the dump itself says it.
const spare: readonly Column[] = ['address', 'system'];

const head = ({order}: State, column: Column, title: string, act: Actions): TemplateResult => {
  const here = order.column === column;
  const arrow = here ? html` <span aria-hidden="true">${order.down ? '↓' : '↑'}</span>` : nothing;
  return html`<th scope="col" class=${spare.includes(column) ? 'spare' : ''} aria-sort=${here ? (order.down ? 'descending' : 'ascending') : nothing}>
    <button class="sort" @click=${() => act.sort(column)}>${title}${arrow}</button>
  </th>`;
};

const bucketRow = (state: State, row: Bucket, most: number, act: Actions): TemplateResult => {
  const n = row.crashes.length;
  const title =
    row.title === ''
      ? html`<span class="quieter">No crash found</span>`
      : html`<code><b>${visibleRow(row.title)}</b> <span class="quiet">${visibleRow(row.detail)}</span></code>`;
  return html`
    <tr>
      <td class="count" data-column="Crashes"><b>${n}</b> <svg width="84" height="8" aria-hidden="true"><rect width=${(84 * n) / most} height="8"></rect></svg></td>
      <th scope="row" class="wide">${title}</th>
      <td class="what" data-column="">${visibleRow(distinct(row, 'what'))}</td>
      <td class="mono spare" data-column="at">${visibleRow(distinct(row, 'address'))}</td>
      <td class="spare" data-column="">${visibleRow(distinct(row, 'system'))}</td>
      <td data-column="Symbols">${symbols(row)}</td>
      <td class="wide dumps-cell">${dumps(state, row, act)}</td>
    </tr>
  `;
};

const symbols = (row: Bucket): TemplateResult | typeof nothing =>
  row.title === ''
    ? nothing
    : wanting(row) === 0
      ? html`<span aria-hidden="true">✓</span> complete`
      : html`<span class="missing"><span aria-hidden="true">?</span> wanted</span>`;

// A kind of crash with hundreds of dumps opens in chunks.
const shownAtOnce = 5;

function dumps(state: State, row: Bucket, act: Actions): TemplateResult {
  const key = `triage.${state.grouping}.${row.key}`;
  const count = state.shown.get(key) ?? shownAtOnce;
  const left = row.crashes.length - count;
  return html`<ul class="dumps">
    ${row.crashes.slice(0, count).map(crash => html`<li>${dump(state, crash, act)}</li>`)}
    ${left <= 0 ? nothing : html`<li><button class="link tap" @click=${() => act.showMore(key, count + 100)}>${left} more</button></li>`}
  </ul>`;
}

const dump = (state: State, crash: Crash, act: Actions): TemplateResult => {
  const name = visibleRow(baseName(crash.name));
  return html`<input
      type="checkbox"
      aria-label="Compare ${name}"
      .checked=${state.chosen.includes(crash.ordinal)}
      @change=${() => act.choose(crash.ordinal)}
    /><a href="#d=${crash.ordinal + 1}" @click=${(event: Event) => go(event, crash, act)}>${name}</a>
    <span class="quiet">${size(state.dumps[crash.ordinal]?.report.dump.size ?? 0)}</span>`;
};

function go(event: Event, crash: Crash, act: Actions): void {
  event.preventDefault();
  act.select.dump(crash.ordinal, 'push');
}
