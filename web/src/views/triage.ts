// All open dumps as a table: crashes that stop in the same place are one row, with a link to each dump.
import './triage.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {mainThread, type State} from '../app/state.ts';
import {size} from '../logic/format.ts';
import {baseName, counted, visibleRow} from '../logic/text.ts';
import {type Bucket, buckets, type Column, type Crash, crashOf, distinct} from '../logic/triage.ts';

export const triage = (state: State, act: Actions): TemplateResult => {
  const crashes = state.dumps.map((dump, i) => crashOf(i, dump.name, dump.report, mainThread(dump.report)));
  const rows = buckets(crashes, state.order);
  const found = rows.filter(row => row.signature.length > 0);
  const most = Math.max(1, ...rows.map(row => row.crashes.length));
  return html`
    <div class="triage">
      <h1 tabindex="-1" id="title">${headline(crashes, found.length)}</h1>
      <p class="quieter">Crashes with the same first frames outside the system’s libraries are one row.</p>
    </div>
    <div class="scroll-x" tabindex="0" role="group" aria-label="Crashes by signature">
      <table class="data triage-table">
        <caption class="visually-hidden">Crashes by signature</caption>
        <thead>
          <tr>
            ${columns.map(([column, title]) => head(state, column, title, act))}
            <th scope="col">Dumps</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(row => bucketRow(state, row, most, act))}
        </tbody>
      </table>
    </div>
  `;
};

function headline(crashes: readonly Crash[], signatures: number): string {
  const crashed = crashes.filter(crash => crash.signature.length > 0).length;
  const rest = crashes.length - crashed;
  const words = `${counted(crashed, 'crash', 'crashes')}, ${counted(signatures, 'signature')}`;
  return rest === 0 ? words : `${words}, and ${counted(rest, 'dump')} without a crash`;
}

const columns: readonly (readonly [Column, string])[] = [
  ['count', 'Crashes'],
  ['signature', 'Signature'],
  ['what', 'What'],
  ['address', 'Address'],
  ['system', 'System'],
];

const head = ({order}: State, column: Column, title: string, act: Actions): TemplateResult => {
  const here = order.column === column;
  const arrow = here ? html` <span aria-hidden="true">${order.down ? '↓' : '↑'}</span>` : nothing;
  return html`<th scope="col" aria-sort=${here ? (order.down ? 'descending' : 'ascending') : nothing}>
    <button class="sort" @click=${() => act.sort(column)}>${title}${arrow}</button>
  </th>`;
};

const bucketRow = (state: State, row: Bucket, most: number, act: Actions): TemplateResult => {
  const [first, ...rest] = row.signature;
  const n = row.crashes.length;
  return html`
    <tr>
      <td class="count"><b>${n}</b> <svg width="84" height="8" aria-hidden="true"><rect width=${(84 * n) / most} height="8"></rect></svg></td>
      <th scope="row" class="wide">
        ${
          first === undefined
            ? html`<span class="quieter">No crash found</span>`
            : html`<code><b>${visibleRow(first)}</b> <span class="quieter">${visibleRow(rest.join(', '))}</span></code>`
        }
      </th>
      <td>${visibleRow(distinct(row, 'what'))}</td>
      <td class="mono">${visibleRow(distinct(row, 'address'))}</td>
      <td>${visibleRow(distinct(row, 'system'))}</td>
      <td class="wide">${dumps(state, row, act)}</td>
    </tr>
  `;
};

// A signature with hundreds of dumps opens on request.
const shownAtOnce = 5;

function dumps(state: State, row: Bucket, act: Actions): TemplateResult {
  const key = `triage.${JSON.stringify(row.signature)}`;
  const shown = state.opened.has(key) ? row.crashes : row.crashes.slice(0, shownAtOnce);
  const left = row.crashes.length - shown.length;
  return html`<ul class="dumps">
    ${shown.map(crash => html`<li><a href="#d=${crash.ordinal + 1}" @click=${(event: Event) => go(event, crash, act)}>${visibleRow(baseName(crash.name))}</a> <span class="quiet">${size(state.dumps[crash.ordinal]?.report.dump.size ?? 0)}</span></li>`)}
    ${left === 0 ? nothing : html`<li><button class="link tap" @click=${() => act.toggle(key)}>${left} more</button></li>`}
  </ul>`;
}

function go(event: Event, crash: Crash, act: Actions): void {
  event.preventDefault();
  act.select.dump(crash.ordinal, 'push');
}
