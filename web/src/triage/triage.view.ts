// All open dumps as a list: crashes of one kind are one row, and a panel shows what the dumps of the selected row have in common.
import './triage.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {mainThread, type OpenDump, type State} from '../app/state.ts';
import {yearOf} from '../text/format.ts';
import {memo} from '../text/maps.ts';
import {counted, visible} from '../text/text.ts';
import {choice, searchField} from '../widgets/field.view.ts';
import {item} from '../widgets/popover.view.ts';
import {more, rowsShown} from '../widgets/region.view.ts';
import {against, type Baseline, baselineJSON, changeOf, countsOf, gone, rankOf} from './baseline.ts';
import {panel} from './panel.view.ts';
import {bucketRow, goneRow} from './row.view.ts';
import {barWords, newestVersions, spanOf} from './spark.ts';
import {type ChangeOf, triageCSV, triageJSON, triageMarkdown} from './table.ts';
import {
  type Bucket,
  buckets,
  type Crash,
  crashOf,
  type Grouping,
  headline,
  type Order,
  shows,
  writtenText,
} from './triage.ts';

type Seen = Pick<State, 'dumps' | 'layout' | 'lists' | 'triage'>;

const crashesOf = memo((dumps: readonly OpenDump[]) =>
  dumps.map((dump, i) => crashOf(i, dump.name, dump.report, mainThread(dump.report))),
);

/** The visible rows, which are also the ones that are copied or saved. */
export function tableRows(state: Pick<State, 'dumps' | 'lists' | 'triage'>): Bucket[] {
  const filter = state.lists.filters.get('crashes') ?? '';
  const shown = crashesOf(state.dumps).filter(crash => shows(crash, filter));
  const since = sinceOf(state);
  return buckets(shown, state.triage.grouping, state.triage.order, row => rankOf(since?.(row) ?? null));
}

// Counts include dumps that the filter hides.
const countsOfAll = memo((dumps: readonly OpenDump[]) => countsOf(crashesOf(dumps)));

const sinceOf = ({dumps, triage: {baseline}}: Pick<State, 'dumps' | 'triage'>): ChangeOf | null =>
  baseline && (row => changeOf(row, countsOfAll(dumps), baseline));

/** The forms in which the table can be copied and saved. */
export const tableItems = (state: Seen, act: Actions): TemplateResult => {
  const since = sinceOf(state);
  const copied = (as: string, text: (rows: readonly Bucket[], since: ChangeOf | null) => string): TemplateResult =>
    item(`Copy the table as ${as}`, () => act.copy(text(tableRows(state), since), `Table copied as ${as}`));
  const json = 'application/json';
  return html`
    ${copied('Markdown', triageMarkdown)} ${copied('CSV', triageCSV)} ${copied('JSON', triageJSON)}
    ${item('Download CSV', () => act.save('crashes.csv', 'text/csv', triageCSV(tableRows(state), since)))}
    ${item('Download JSON', () => act.save('crashes.json', json, triageJSON(tableRows(state), since)))}
    ${item('Save as baseline', () => act.save('baseline.json', json, baselineJSON(crashesOf(state.dumps), state.triage.baseline)))}
  `;
};

export const triage = (state: Seen, _: unknown, act: Actions): TemplateResult => {
  const {baseline, grouping, selected} = state.triage;
  const crashes = crashesOf(state.dumps);
  const rows = tableRows(state);
  const lost = baseline && (state.lists.filters.get('crashes') ?? '') === '' ? goneIn(state.dumps, baseline) : [];
  const wide = state.layout.width === 'wide';
  const current = rows.find(({key}) => key === selected) ?? (wide ? rows[0] : undefined);
  const frame = {
    span: spanOf(crashes),
    newest: newestVersions(crashes),
    year: yearOf(Math.max(...crashes.map(({written}) => written ?? 0))),
    since: sinceOf(state),
    selected: current?.key ?? null,
  };
  return html`
    <div class="triage">
      <h1 tabindex="-1" id="title">${headline(crashes, buckets(crashes, grouping, 'count').length, state.triage.left)}</h1>
      <p class="quieter">${about(state, crashes, act)}</p>
    </div>
    <div class="triage-split">
      <div class="triage-list">
        ${tools(state, act)}
        <table class="triage-table ${baseline ? '' : 'no-since'} ${frame.span ? '' : 'no-spark'}">
          <caption class="visually-hidden">Crashes in groups</caption>
          <thead>
            <tr>
              <th scope="col" class="since">Status</th><th scope="col" class="count">Dumps</th><th scope="col">Signature</th>
              <th scope="col" class="what">What</th><th scope="col" class="program">Program</th>
              <th scope="col" class="spark">${writtenText({crashes})}</th><th scope="col" class="last">Last</th>
            </tr>
          </thead>
          <tbody>
            ${rowsShown(state, 'crashes', rows).map(row => html`${bucketRow(row, frame, act)}${!wide && row === current ? html`<tr class="panel-row"><td colspan=${baseline ? 6 : 5}>${panel(state, row, frame.since, act)}</td></tr>` : nothing}`)}
            ${rowsShown(state, goneKey, lost).map(goneRow)}
          </tbody>
        </table>
        ${rows.length === 0 ? html`<p class="region-body quieter">No crashes match.</p>` : nothing}
        ${frame.span ? html`<p class="bar-words quiet">${barWords(frame.span)}</p>` : nothing}
        ${more(state, 'crashes', rows.length, act)} ${more(state, goneKey, lost.length, act, ' gone')}
      </div>
      ${wide && current ? html`<aside class="triage-panel" aria-label="Selected group">${panel(state, current, frame.since, act)}</aside>` : nothing}
    </div>
  `;
};

// "2 signatures new … against base.json", or how to get this comparison.
const about = (state: Seen, crashes: readonly Crash[], act: Actions): unknown => {
  const {baseline} = state.triage;
  if (!baseline)
    return html`${counted(new Set(crashes.map(({program}) => program)).size, 'program')} · ${writtenText({crashes})} · To see what is new, drop an
      earlier result: what “Save as baseline” or <code>crashglass triage --format json</code> wrote.`;
  return html`<span class="against">${visible(against(crashes, countsOfAll(state.dumps), baseline))}</span> ·
    <button class="link tap" @click=${act.forgetBaseline}>Without the baseline</button>`;
};

const groupings: readonly (readonly [Grouping, string])[] = [
  ['signature', 'Group: signature'],
  ['reason', 'Group: reason'],
];
const orders: readonly (readonly [Order, string])[] = [
  ['new', 'Sort: new first'],
  ['count', 'Sort: most dumps'],
  ['last', 'Sort: last dump'],
  ['signature', 'Sort: signature'],
];

const tools = ({lists, triage: {grouping, order}}: Seen, act: Actions): TemplateResult => html`
  <div class="triage-tools">
    ${searchField('filter-crashes', 'Filter by function, module, version, reason or file', 'Function, module, version, reason…', lists.filters.get('crashes') ?? '', text => act.filterList('crashes', text))}
    ${choice('Group', groupings, grouping, act.group)} ${choice('Sort', orders, order, act.sort)}
  </div>
`;

// A baseline of a year has many crashes that are gone, so they are shown in chunks, like the rows.
const goneKey = 'gone';
const goneIn = memo((dumps: readonly OpenDump[], baseline: Baseline) => gone(countsOfAll(dumps), baseline));
