// All open dumps as a table: crashes of one kind are one row, with a link to each dump. Two of them can be chosen to be compared.
import './triage.css';
import {html, nothing, svg, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {mainThread, type OpenDump, type State} from '../app/state.ts';
import {duration, size} from '../text/format.ts';
import {memo} from '../text/memo.ts';
import {inMiddle} from '../text/names.ts';
import {baseName, visible, visibleRow} from '../text/text.ts';
import {more, rowsShown} from '../widgets/more.view.ts';
import {item} from '../widgets/popover.view.ts';
import {
  against,
  type Baseline,
  baselineJSON,
  type Change,
  changeOf,
  countsOf,
  gone,
  type Old,
  rankOf,
} from './baseline.ts';
import {type ChangeOf, triageCSV, triageJSON, triageMarkdown} from './table.ts';
import {
  type Bucket,
  buckets,
  type Column,
  type Crash,
  crashOf,
  distinct,
  groupings,
  headline,
  owns,
  placeOn,
  programs,
  readable,
  shows,
  type Uptimes,
  uptimes,
  wanting,
  writtenText,
} from './triage.ts';

/** What these views read of the state. */
type Seen = Pick<State, 'dumps' | 'lists' | 'triage'>;

const crashesOf = memo((dumps: readonly OpenDump[]) =>
  dumps.map((dump, i) => crashOf(i, dump.name, dump.report, mainThread(dump.report))),
);

/** The visible rows, which are also the ones that are copied or saved. */
export function tableRows(state: Seen): Bucket[] {
  const filter = state.lists.filters.get('crashes') ?? '';
  const shown = crashesOf(state.dumps).filter(crash => shows(crash, filter));
  const since = sinceOf(state);
  return buckets(shown, state.triage.grouping, state.triage.order, row => rankOf(since?.(row) ?? null));
}

// Counts include dumps that the filter hides.
const countsOfAll = memo((dumps: readonly OpenDump[]) => countsOf(crashesOf(dumps)));

const sinceOf = ({dumps, triage: {baseline}}: Seen): ChangeOf | null =>
  baseline && (row => changeOf(row, countsOfAll(dumps), baseline));

/** The forms in which the table can be copied and saved. */
export const tableItems = (state: Seen, act: Actions): TemplateResult => {
  const since = sinceOf(state);
  const copied = (as: string, text: (rows: readonly Bucket[], since: ChangeOf | null) => string): TemplateResult =>
    item(`Copy the table as ${as}`, () => act.copy(text(tableRows(state), since), `Table copied as ${as}`));
  return html`
    ${copied('Markdown', triageMarkdown)} ${copied('CSV', triageCSV)} ${copied('JSON', triageJSON)}
    ${item('Download CSV', () => act.save('crashes.csv', 'text/csv', triageCSV(tableRows(state), since)))}
    ${item('Download JSON', () => act.save('crashes.json', 'application/json', triageJSON(tableRows(state), since)))}
    ${item('Save as baseline', () => act.save('baseline.json', 'application/json', baselineJSON(crashesOf(state.dumps), state.triage.baseline)))}
  `;
};

export const triage = (state: Seen, _: unknown, act: Actions): TemplateResult => {
  const crashes = crashesOf(state.dumps);
  const filter = state.lists.filters.get('crashes') ?? '';
  const rows = tableRows(state);
  const line = uptimes(crashes);
  const most = Math.max(1, ...rows.map(row => row.crashes.length));
  return html`
    <div class="triage">
      <h1 tabindex="-1" id="title">${headline(crashes, state.triage.left)}</h1>
      <p class="quieter">${explained[state.triage.grouping]}</p>
      ${compared(state, act)}
      ${tools(state, filter, act)}
    </div>
    <div class="scroll-x" tabindex="0" role="group" aria-label="Crashes">
      <table class="data blocks triage-table">
        <caption class="visually-hidden">Crashes in groups</caption>
        <thead>
          <tr>
            ${state.triage.baseline ? head(state, 'since', 'Since', act) : nothing}${columns.map(([column, title]) => head(state, column, column === 'uptime' ? uptimeTitle(line) : title, act))}
            <th scope="col">Dumps</th>
          </tr>
        </thead>
        <tbody>
          ${rowsShown(state, 'crashes', rows).map(row => bucketRow(state, row, most, line, act))}
          ${state.triage.baseline && filter === '' ? rowsShown(state, goneKey, goneIn(state.dumps, state.triage.baseline)).map(goneRow) : nothing}
        </tbody>
      </table>
    </div>
    ${rows.length === 0 ? html`<p class="region-body quieter">No crashes match.</p>` : nothing}
    ${more(state, 'crashes', rows.length, act)}
    ${state.triage.baseline && filter === '' ? more(state, goneKey, goneIn(state.dumps, state.triage.baseline).length, act, ' gone') : nothing}
  `;
};

const explained = {
  signature: 'Crashes with one signature are one row. A signature is the function of the program that is to blame.',
  frames: 'Crashes with the same first frames outside the system’s libraries are one row.',
  reason: 'Crashes with the same reason in the same module are one row.',
  none: 'Each crash is a row.',
} as const;

const tools = (state: Seen, filter: string, act: Actions): TemplateResult => html`
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
      ${groupings.map(([grouping, words]) => html`<button class="button" aria-pressed=${state.triage.grouping === grouping} @click=${() => act.group(grouping)}>${words}</button>`)}
    </span>
    ${comparing(state, act)}
  </div>
`;

// The words beside the button say what is missing for a comparison.
function comparing({triage: {chosen}}: Seen, act: Actions): TemplateResult {
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
  ['own', 'First own frame'],
  ['program', 'Program, version'],
  ['written', 'Written'],
  ['system', 'System'],
  ['uptime', 'Uptime'],
];

// Columns that are hidden in little room: the dump itself has these values.
const spare: readonly Column[] = ['written', 'uptime'];

const uptimeTitle = (line: Uptimes | null): string =>
  line === null
    ? 'Uptime'
    : line.from === line.to
      ? `Uptime, ${duration(line.from)}`
      : `Uptime, ${duration(line.from)} to ${duration(line.to)}`;

const head = ({triage: {order}}: Seen, column: Column, title: string, act: Actions): TemplateResult => {
  const here = order.column === column;
  const arrow = here ? html` <span aria-hidden="true">${order.down ? '↓' : '↑'}</span>` : nothing;
  return html`<th scope="col" class=${spare.includes(column) ? 'spare' : ''} aria-sort=${here ? (order.down ? 'descending' : 'ascending') : nothing}>
    <button class="sort" @click=${() => act.sort(column)}>${title}${arrow}</button>
  </th>`;
};

const bucketRow = (state: Seen, row: Bucket, most: number, line: Uptimes | null, act: Actions): TemplateResult => {
  const n = row.crashes.length;
  const title =
    row.title === ''
      ? html`<span class="quieter">No crash found</span>`
      : html`<code title=${visibleRow(row.title)}><b>${visibleRow(inMiddle(row.title, signatureLetters))}</b> <span class="quiet">${visibleRow(row.detail)}</span></code>`;
  const {program, versions} = programs(row);
  return html`
    <tr>
      ${state.triage.baseline ? sinceCell(sinceOf(state)?.(row) ?? null) : nothing}
      <td class="count" data-column="Crashes"><b>${n}</b> <svg width="56" height="8" aria-hidden="true"><rect width=${(56 * n) / most} height="8"></rect></svg></td>
      <th scope="row" class="wide">${title} <span class="what">${visibleRow(distinct(row, 'what'))}</span></th>
      <td class="own" data-column="">${own(row)}</td>
      <td class="program" data-column="Program">${program === '' ? missing : visibleRow(program)} <span class="quiet">${visibleRow(versions)}</span></td>
      <td class="spare" data-column="Written">${writtenText(row) || missing}</td>
      <td data-column="System">${visibleRow(distinct(row, 'system')) || missing}</td>
      <td class="spare" data-column="Uptime">${uptimeLine(row, line)}</td>
      <td class="dumps-cell">${dumps(state, row, act)}</td>
    </tr>
  `;
};

// A baseline of a year has many crashes that are gone, so they are shown in chunks, like the rows.
const goneKey = 'gone';
const goneIn = memo((dumps: readonly OpenDump[], baseline: Baseline) => gone(countsOfAll(dumps), baseline));

// "2 signatures new …", or how to get this comparison.
const compared = (state: Seen, act: Actions): TemplateResult =>
  state.triage.baseline
    ? html`<p class="against">${visible(against(crashesOf(state.dumps), countsOfAll(state.dumps), state.triage.baseline))}. <button class="link tap" @click=${act.forgetBaseline}>Without the baseline</button></p>`
    : html`<p class="quieter">To see what is new, drop an earlier result: what “Save as baseline” or <code>crashglass triage --format json</code> wrote.</p>`;

const sinceWords: Readonly<Record<Change['since'], string>> = {
  new: 'New',
  back: 'Back',
  none: 'No baseline',
  grown: 'Grown',
  known: 'Known',
  gone: 'Gone',
};

const sinceCell = (
  change: Change | null,
): TemplateResult => html`<td class="since ${change?.since ?? ''}" data-column="Since">
  ${change === null ? html`<span class="quiet">–</span>` : html`${sinceWords[change.since]}${change.before > 0 ? html` <span class="quiet">from ${change.before}</span>` : nothing}`}
</td>`;

const goneRow = (old: Old): TemplateResult => html`
  <tr class="gone">
    ${sinceCell({since: 'gone', before: old.count})}
    <td class="count" data-column="Crashes"><b>0</b></td>
    <th scope="row" class="wide"><code><b>${visibleRow(inMiddle(readable(old.signature), signatureLetters))}</b></code> <span class="what">${visibleRow(old.what.join(', '))}</span></th>
    <td class="own" data-column=""><code>${visibleRow(inMiddle(old.own.join(', '), signatureLetters))}</code></td>
    <td class="program" data-column="Program">${visibleRow(old.modules.join(', '))}</td>
    <td class="spare"></td><td></td><td class="spare"></td><td></td>
  </tr>
`;

// Longer signatures would push the other columns away. Copies of the table have the whole signature.
const signatureLetters = 160;

const missing = html`<span class="quiet">not in dump</span>`;

// A guess has its mark here, too; symbols that would help are wanted.
const own = (row: Bucket): TemplateResult => html`
  ${owns(row).map(({text, guess}, i) => html`${i > 0 ? ', ' : nothing}${guess ? html`<span class="missing" title="a guess, or a name that may be wrong">~</span> ` : nothing}<code>${visibleRow(text)}</code>`)}
  ${row.title !== '' && wanting(row) > 0 ? html`<span class="missing"><span aria-hidden="true">?</span> wants symbols</span>` : nothing}
`;

const lineWidth = 96;

// Dots on a line from the shortest to the longest uptime of all dumps. Screen readers get the range in words.
const uptimeLine = (row: Bucket, line: Uptimes | null): TemplateResult => {
  const times = row.crashes.map(crash => crash.uptime).filter(t => t !== null);
  if (line === null || times.length === 0) return missing;
  const [least, longest] = [Math.min(...times), Math.max(...times)];
  const words = least === longest ? duration(least) : `${duration(least)} to ${duration(longest)}`;
  return html`<span class="visually-hidden">${words}</span
    ><svg class="uptimes" width=${lineWidth + 8} height="10" aria-hidden="true">
      <line x1="4" x2=${lineWidth + 4} y1="5" y2="5"></line>
      ${times.slice(0, mostDots).map(t => dot(4 + lineWidth * placeOn(line, t)))}
    </svg>`;
};

const mostDots = 60;

const dot = (x: number): TemplateResult => svg`<circle cx=${x} cy="5" r="3"></circle>` as TemplateResult;

// A kind of crash with hundreds of dumps opens in chunks.
const shownAtOnce = 5;

function dumps(state: Seen, row: Bucket, act: Actions): TemplateResult {
  const key = `triage.${state.triage.grouping}.${row.key}`;
  const count = state.lists.shown.get(key) ?? shownAtOnce;
  const left = row.crashes.length - count;
  return html`<ul class="dumps">
    ${row.crashes.slice(0, count).map(crash => html`<li>${dump(state, crash, act)}</li>`)}
    ${left <= 0 ? nothing : html`<li><button class="link tap" @click=${() => act.showMore(key, count + 100)}>${left} more</button></li>`}
  </ul>`;
}

const dump = (state: Seen, crash: Crash, act: Actions): TemplateResult => {
  const name = visibleRow(baseName(crash.name));
  return html`<input
      type="checkbox"
      aria-label="Compare ${name}"
      .checked=${state.triage.chosen.includes(crash.ordinal)}
      @change=${() => act.choose(crash.ordinal)}
    /><a class="cut" title=${name} href="#d=${crash.ordinal + 1}" @click=${(event: Event) => go(event, crash, act)}>${name}</a>
    <span class="quiet">${size(state.dumps[crash.ordinal]?.report.dump.size ?? 0)}</span>`;
};

function go(event: Event, crash: Crash, act: Actions): void {
  event.preventDefault();
  act.select.dump(crash.ordinal, 'push');
}
