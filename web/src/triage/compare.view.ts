// Two dumps side by side: facts, the stacks that crashed, modules.
import './compare.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {mainThread, type OpenDump, type State} from '../app/state.ts';
import {versionOf} from '../modules/modules.ts';
import type {Module, Report, Thread} from '../report.ts';
import {rowName} from '../share/copy.ts';
import {type FrameRow, mark, noPlace, placeText} from '../stack/frames.ts';
import {memo} from '../text/memo.ts';
import {baseName, counted, visibleRow} from '../text/text.ts';
import {more, rowsShown} from '../widgets/more.view.ts';
import {type Column, region, table} from '../widgets/region.view.ts';
import {nameInRow} from '../widgets/text.view.ts';
import {
  type FactPair,
  factPairs,
  type ModulePair,
  type ModuleState,
  modulePairs,
  type StackPair,
  stackPairs,
} from './compare.ts';

/** What these views read of the state. */
type Seen = Pick<State, 'dumps' | 'opened' | 'layout' | 'lists' | 'triage'>;

const modulesOf = memo((a: Report, b: Report) => modulePairs(a.modules ?? [], b.modules ?? []));
const factsOf = memo(factPairs);
const stacksOf = memo((a: Report, b: Report) => stackPairs(mainOf(a), mainOf(b)));

const mainOf = (report: Report): Thread | null => report.threads?.[mainThread(report) ?? -1] ?? null;

export const compare = (state: Seen, _: unknown, act: Actions): TemplateResult => {
  const [left, right] = state.triage.pair;
  const [a, b] = [state.dumps[left], state.dumps[right]];
  if (!a || !b) return html`<h1 tabindex="-1" id="title" class="compare-title">One of the two dumps is not open</h1>`;
  return html`
    <div class="compare">
      <h1 tabindex="-1" id="title">${headline(a.report, b.report)}</h1>
      <div class="pick">
        ${choose(state, 'A', left, other => act.select.pair(other, right, 'replace'))}
        <button class="button" @click=${() => act.select.pair(right, left, 'replace')}>Swap</button>
        ${choose(state, 'B', right, other => act.select.pair(left, other, 'replace'))}
      </div>
    </div>
    ${facts(factsOf(a.report, b.report), a, b)} ${stacks(state, a, b, act)} ${modules(state, a, b, act)}
  `;
};

function headline(a: Report, b: Report): string {
  if (!a.verdict.crashed || !b.verdict.crashed) return 'Two dumps, at least one without a crash';
  return a.signature === b.signature ? 'Two crashes with one signature' : 'Two crashes with different signatures';
}

const choose = (state: Seen, name: string, chosen: number, set: (ordinal: number) => void): TemplateResult => html`
  <label
    ><b>${name}</b>
    <select
      class="field"
      @change=${(event: Event) => {
        if (event.currentTarget instanceof HTMLSelectElement) set(Number(event.currentTarget.value));
      }}
    >
      ${state.dumps.map((dump, i) => html`<option value=${i} .selected=${i === chosen}>${visibleRow(baseName(dump.name))}</option>`)}
    </select></label
  >
`;

const shortName = (dump: OpenDump): string => visibleRow(baseName(dump.name));

const heads = (a: OpenDump, b: OpenDump): readonly Column[] => [
  {title: `A ${shortName(a)}`, short: 'A', classes: 'wide'},
  {title: `B ${shortName(b)}`, short: 'B', classes: 'wide'},
];

const sameWord = html`<span class="quiet">same</span>`;
const differsWord = html`<span class="differs"><span aria-hidden="true">≠</span> differs</span>`;

const facts = (pairs: readonly FactPair[], a: OpenDump, b: OpenDump): TemplateResult => {
  const differing = pairs.filter(pair => !pair.same).length;
  return region(
    'facts',
    'Facts',
    differing === 0 ? 'all the same' : `${differing} of ${pairs.length} differ`,
    table(
      'Facts of both dumps',
      [{title: 'Fact', classes: ''}, ...heads(a, b), {title: 'Difference', classes: ''}],
      pairs.map(pair => [pair.label, fact(pair.a), fact(pair.b), pair.same ? sameWord : differsWord]),
    ),
  );
};

const fact = (text: string): unknown => (text === '' ? html`<span class="quiet">not in dump</span>` : visibleRow(text));

const stacks = (state: Seen, a: OpenDump, b: OpenDump, act: Actions): TemplateResult => {
  const {rows, cut} = stacksOf(a.report, b.report);
  const common = rows.filter(row => row.state !== 'differs').length;
  const words = rows.length === 0 ? 'none' : `${counted(common, 'call')} in common, ${rows.length - common} not`;
  const side = (dump: number, report: Report) => (row: FrameRow | null) => call(state, dump, report, row, act);
  const [left, right] = [side(state.triage.pair[0], a.report), side(state.triage.pair[1], b.report)];
  return region(
    'stacks',
    'Crashing stacks',
    words,
    html`<div class="scroll-x" tabindex="0" role="group" aria-label="Crashing stacks">
        <table class="data pair-table">
          <caption class="visually-hidden">The crashing stacks with their common calls beside each other, innermost first</caption>
          <thead>
            <tr>
              <th scope="col">A ${shortName(a)}</th>
              <th scope="col" class="relation">Relation</th>
              <th scope="col">B ${shortName(b)}</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map(row => html`<tr class=${row.state}><td>${left(row.a)}</td><td class="relation">${relation(row)}</td><td>${right(row.b)}</td></tr>`)}
          </tbody>
        </table>
      </div>
      ${cut > 0 ? html`<p class="region-body quieter">${counted(cut, 'outer row')} left out of the comparison.</p>` : nothing}`,
  );
};

function relation({a, b, state}: StackPair): TemplateResult {
  if (state === 'same') return html`<span aria-hidden="true">=</span><span class="visually-hidden">same</span>`;
  if (state === 'line') return html`<span aria-hidden="true">≈</span> other line`;
  return html`<span aria-hidden="true">≠</span> ${a && b ? 'differs' : a ? 'only A' : 'only B'}`;
}

// A link to the frame in its dump, for the user who wants to see why it differs.
function call(state: Seen, dump: number, report: Report, row: FrameRow | null, act: Actions): unknown {
  if (!row) return nothing;
  const thread = mainThread(report) ?? 0;
  const name = rowName(row);
  const go = (): void => {
    act.select.dump(dump, 'push');
    act.select.row(thread, row, 'replace');
  };
  return html`<span class="call"
    ><span class="quiet number">${row.number}</span
    >${mark(row)}<button class="link" title=${visibleRow(name)} @click=${go}><code>${nameInRow(name)}</code></button
    ><code class="quiet at">${visibleRow(placeText(row) ?? (state.layout.width === 'narrow' ? '' : noPlace(row)))}</code></span
  >`;
}

const moduleWords: Readonly<Record<ModuleState, string>> = {
  same: 'same',
  other: 'other build',
  removed: 'only in A',
  added: 'only in B',
};

const modules = (state: Seen, a: OpenDump, b: OpenDump, act: Actions): TemplateResult => {
  const all = modulesOf(a.report, b.report);
  const differing = all.filter(pair => pair.state !== 'same');
  const key = 'pair.same-modules';
  const wanted = state.opened.has(key) ? all : differing;
  const shown = rowsShown(state, 'pair.modules', wanted);
  const same = all.length - differing.length;
  return region(
    'modules',
    'Modules',
    `${counted(differing.length, 'difference')}, ${same} the same`,
    html`${
      shown.length === 0
        ? html`<p class="region-body quieter">Both have the same modules, of the same builds.</p>`
        : table(
            'Modules of both dumps',
            [{title: 'Module', classes: ''}, {title: 'Difference', classes: ''}, ...heads(a, b)],
            shown.map(modulePair),
          )
    }
    ${more(state, 'pair.modules', wanted.length, act)}
    ${same === 0 ? nothing : html`<p class="region-body"><button class="button" @click=${() => act.toggle(key)}>${state.opened.has(key) ? 'Hide' : 'Show'} ${same} that are the same</button></p>`}`,
  );
};

const modulePair = (pair: ModulePair): unknown[] => [
  visibleRow(pair.name),
  pair.state === 'same'
    ? sameWord
    : html`<span class="differs"><span aria-hidden="true">≠</span> ${moduleWords[pair.state]}</span>`,
  build(pair.a),
  build(pair.b),
];

const build = (module: Module | null): unknown =>
  module === null
    ? html`<span class="quiet">not loaded</span>`
    : html`${visibleRow(versionOf(module))} <code class="quieter">${visibleRow(module.debug_id || module.code_id || 'no id')}</code>`;
