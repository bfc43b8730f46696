// Two dumps side by side: what changed in facts and modules, and the stacks that crashed.
import './compare.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {mainThread, type OpenDump, type State} from '../app/state.ts';
import type {Report, Thread} from '../report.ts';
import type {FrameRow} from '../stack/frames.ts';
import {mark, noPlace, placeText, rowName} from '../stack/names.ts';
import {memo} from '../text/maps.ts';
import {baseName, counted, visibleRow} from '../text/text.ts';
import {choice} from '../widgets/field.view.ts';
import {type Column, list, region} from '../widgets/region.view.ts';
import {nameInRow} from '../widgets/text.view.ts';
import {type Pair, type StackPair, stackPairs, valuePairs} from './compare.ts';

type Seen = Pick<State, 'dumps' | 'opened' | 'layout' | 'lists' | 'triage'>;

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
    ${values(state, a, b, act)} ${stacks(state, a, b, act)}
  `;
};

function headline(a: Report, b: Report): string {
  if (!a.verdict.crashed || !b.verdict.crashed) return 'Two dumps, at least one without a crash';
  return a.signature === b.signature ? 'Two crashes with one signature' : 'Two crashes with different signatures';
}

const choose = (state: Seen, name: string, chosen: number, set: (ordinal: number) => void): TemplateResult => html`
  <label><b>${name}</b> ${choice(
    null,
    state.dumps.map((dump, i) => [i, shortName(dump)] as const),
    chosen,
    set,
  )}</label>
`;

const shortName = (dump: OpenDump): string => visibleRow(baseName(dump.name));

const heads = (a: OpenDump, b: OpenDump): readonly Column[] => [
  [`A ${shortName(a)}`, 'wide', 'A'],
  [`B ${shortName(b)}`, 'wide', 'B'],
];

const pairsOf = memo(valuePairs);

// Facts and modules: what changed, and on request the rest.
const values = (state: Seen, a: OpenDump, b: OpenDump, act: Actions): TemplateResult => {
  const all = pairsOf(a.report, b.report);
  const changed = all.filter(({same}) => !same);
  const key = 'pair.same';
  const wanted = state.opened.has(key) ? all : changed;
  const same = all.length - changed.length;
  return region(
    'changes',
    'Facts and modules',
    `${changed.length} changed, ${same} the same`,
    html`${wanted.length === 0 ? nothing : list(state, key, 'Facts and modules of both dumps', [['What'], ...heads(a, b)], wanted, cells, act)}
    ${same === 0 ? nothing : html`<p class="region-body"><button class="button" @click=${() => act.toggle(key)}>${state.opened.has(key) ? 'Hide' : 'Show'} ${same} that are the same</button></p>`}`,
  );
};

const cells = ({label, a, b, same}: Pair): unknown[] => {
  const value = (text: string): unknown =>
    text === '' ? html`<span class="quiet">not in dump</span>` : visibleRow(text);
  return [visibleRow(label), value(a), same ? value(b) : html`<b>${value(b)}</b>`];
};

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
