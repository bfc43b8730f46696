// The selected group: what all of its dumps share, their stacks as one, what varies, and the dumps. Two that are marked are compared.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {mainThread, type OpenDump, type State} from '../app/state.ts';
import {frameRows, isOwn} from '../stack/frames.ts';
import {doubt, placeText, shortName} from '../stack/names.ts';
import {firstRow} from '../stack/stack.ts';
import {duration, time} from '../text/format.ts';
import {memo} from '../text/maps.ts';
import {inMiddle} from '../text/names.ts';
import {baseName, counted, visibleRow} from '../text/text.ts';
import {doubtful, sentenceWithCode} from '../widgets/text.view.ts';
import {callPairs, type Pair, stackPairs, valuePairs} from './compare.ts';
import {type Joined, joined, mostStacks, outerSystem} from './joined.ts';
import {marked} from './row.view.ts';
import type {ChangeOf} from './table.ts';
import {type Bucket, type Crash, distinct, writtenText} from './triage.ts';

type Seen = Pick<State, 'dumps' | 'lists' | 'triage'>;

export const panel = (state: Seen, row: Bucket, since: ChangeOf | null, act: Actions): TemplateResult => {
  const crashes = [...row.crashes].sort((a, b) => (b.written ?? -1) - (a.written ?? -1));
  const [latest] = crashes;
  if (!latest) return html``;
  const {
    crashed,
    frames: [top],
  } = latest;
  const newest = crashes.slice(0, mostStacks);
  return html`
    <div class="panel-head">
      <h2>${visibleRow(latest.what)}${crashed && top ? html` in <code>${marked(inMiddle(top, nameLetters))}</code>` : nothing}</h2>
      <a href="#d=${latest.ordinal + 1}" @click=${(e: Event) => go(e, latest, act)}>Open latest <span aria-hidden="true">↵</span></a>
      ${alike(crashes)}
    </div>
    ${stack(joinedOf(state.dumps, newest.map(({ordinal}) => ordinal).join(' ')), newest.length)}
    <dl class="panel-facts">${facts(row, since, state.triage.baseline?.name ?? '')}</dl>
    ${dumps(state, crashes, row, act)} ${compared(state, act)}
  `;
};

const nameLetters = 60;

// The explanation, if it is the same for all.
const alike = (crashes: readonly Crash[]): unknown => {
  const [detail = '', ...others] = new Set(crashes.map(crash => crash.detail));
  if (detail === '' || others.length > 0) return nothing;
  return html`<p>${crashes.length > 1 ? `In all ${crashes.length}: ` : nothing}${sentenceWithCode(detail)}</p>`;
};

const joinedOf = memo((open: readonly OpenDump[], ordinals: string) =>
  joined(
    ordinals.split(' ').flatMap(ordinal => {
      const report = open[Number(ordinal)]?.report;
      const thread = report?.threads?.[mainThread(report) ?? -1];
      if (!report || !thread) return [];
      const rows = frameRows(thread, thread.crashed);
      const first = firstRow(thread, report.verdict.row);
      return [
        rows.slice(
          Math.max(
            0,
            rows.findIndex(r => r.frame === first?.frame && r.inline === first.inline),
          ),
        ),
      ];
    }),
  ),
);

// More rows than these are one click away, in a dump.
const mostRows = 12;

function stack(all: readonly Joined[], count: number): unknown {
  if (all.length === 0) return nothing;
  const outer = outerSystem(all);
  const shown = all.slice(0, outer > 1 ? all.length - outer : all.length);
  const rest = [
    ...(shown.length > mostRows ? [`${counted(shown.length - mostRows, 'more frame')}`] : []),
    ...(outer > 1 ? [`${outer} system frames`] : []),
  ];
  return html`
    <h3>${count === 1 ? 'Stack' : `Stack of ${count} dumps`} ${all.some(row => row.count < count) ? html`<span class="quiet">the same except where counted</span>` : nothing}</h3>
    <ol class="joined">
      ${shown.slice(0, mostRows).map(
        ({
          row,
          count: n,
        }) => html`<li class="${isOwn(row) ? 'own' : ''} ${n < count ? 'parts' : ''} ${row.guess ? 'guess' : ''}"
          ><code class="name">${doubtful(doubt(row))}${visibleRow(shortName(row))}</code
          ><code class="quiet">${visibleRow(placeText(row) ?? '')}</code>${n < count ? html`<span>${n} of ${count}</span>` : nothing}</li
        >`,
      )}
      ${rest.length > 0 ? html`<li class="quiet">${rest.join(', ')}</li>` : nothing}
    </ol>
  `;
}

function facts(row: Bucket, since: ChangeOf | null, baseline: string): unknown {
  const values = (['program', 'version', 'system', 'thread'] as const).map(
    column => [column, distinct(row, column)] as const,
  );
  const several = (text: string): boolean => text.includes(', ');
  const word = (column: string, text: string): string =>
    column === 'thread' || column === 'version' ? `${column} ${text}` : text;
  const known = values.filter(([, text]) => text !== '').map(([column, text]) => [text, word(column, text)] as const);
  const times = row.crashes.map(({uptime}) => uptime).filter(t => t !== null);
  const [least, longest] = [Math.min(...times), Math.max(...times)];
  const uptime =
    times.length === 0
      ? []
      : [least === longest ? `uptime ${duration(least)}` : `uptime ${duration(least)} to ${duration(longest)}`];
  const change = since?.(row);
  const [first] = [...row.crashes].sort((a, b) => (a.written ?? Infinity) - (b.written ?? Infinity));
  const seen =
    first && first.written !== null
      ? [writtenText({crashes: [first]}), first.version === '' ? '' : `in ${first.version}`]
      : [];
  const before = change ? [change.before === 0 ? `not in ${baseline}` : `${change.before} in ${baseline}`] : [];
  return [
    [
      'Always',
      [...known.filter(([text]) => !several(text)).map(([, text]) => text), ...(least === longest ? uptime : [])],
    ],
    [
      'Varies',
      [...known.filter(([text]) => several(text)).map(([, text]) => text), ...(least < longest ? uptime : [])],
    ],
    ['First seen', [...seen, ...before].filter(text => text !== '')],
  ].map(([label, texts]) =>
    texts?.length ? html`<dt>${label}</dt><dd>${visibleRow((texts as string[]).join(', '))}</dd>` : nothing,
  );
}

// A kind of crash with hundreds of dumps opens in chunks.
const shownAtOnce = 5;

function dumps(state: Seen, crashes: readonly Crash[], row: Bucket, act: Actions): TemplateResult {
  const key = `triage.${row.key}`;
  const count = state.lists.shown.get(key) ?? shownAtOnce;
  const rest = crashes.length - count;
  return html`
    <h3>Dumps <span class="quiet">${crashes.length}, latest first</span></h3>
    <ul class="dumps">
      ${crashes.slice(0, count).map(crash => html`<li>${dump(state, crash, act)}</li>`)}
      ${rest <= 0 ? nothing : html`<li><button class="link tap" @click=${() => act.showMore(key, count + 100)}>${rest} more</button></li>`}
    </ul>
  `;
}

const dump = (state: Seen, crash: Crash, act: Actions): TemplateResult => {
  const name = visibleRow(baseName(crash.name));
  return html`<input
      type="checkbox"
      aria-label="Compare ${name}"
      .checked=${state.triage.chosen.includes(crash.ordinal)}
      @change=${() => act.choose(crash.ordinal)}
    /><a class="cut" title=${name} href="#d=${crash.ordinal + 1}" @click=${(event: Event) => go(event, crash, act)}>${name}</a>
    <span class="quiet">${crash.written === null ? nothing : time(crash.written)?.slice(0, 16)}</span>
    <span class="quiet">${crash.uptime === null ? nothing : `uptime ${duration(crash.uptime)}`}</span>`;
};

function go(event: Event, crash: Crash, act: Actions): void {
  event.preventDefault();
  event.stopPropagation();
  act.select.dump(crash.ordinal, 'push');
}

const threadOf = ({report}: OpenDump) => report.threads?.[mainThread(report) ?? -1] ?? null;

const changes = memo((a: OpenDump, b: OpenDump): readonly Pair[] => [
  ...callPairs(stackPairs(threadOf(a), threadOf(b))),
  ...valuePairs(a.report, b.report),
]);

// More differences than these are shown side by side.
const mostChanges = 12;

// What changed between the two marked dumps, wherever they are in the list.
function compared({dumps: open, triage: {chosen}}: Seen, act: Actions): TemplateResult {
  const [left = -1, right = -1] = [...chosen].sort((x, y) => x - y);
  const [a, b] = [open[left], open[right]];
  if (!a || !b)
    return html`<p class="comparing quiet" role="status">${chosen.length === 1 ? 'Mark one more to compare' : 'Mark two dumps to compare'}</p>`;
  const all = changes(a, b);
  const changed = all.filter(({same}) => !same);
  const compare = (): void => act.select.pair(left, right, 'push');
  return html`
    <div class="comparing" role="status">
      <table>
        <caption><b>${counted(changed.length, 'change')}</b> <span class="quiet">${all.length - changed.length} the same</span> <button class="link tap" @click=${compare}>Side by side</button></caption>
        <thead><tr><th scope="col"><span class="visually-hidden">What</span></th><th scope="col">${visibleRow(baseName(a.name))}</th><th scope="col">${visibleRow(baseName(b.name))}</th></tr></thead>
        <tbody>
          ${changed.slice(0, mostChanges).map(pair => html`<tr><th scope="row">${visibleRow(pair.label)}</th><td>${visibleRow(pair.a) || '–'}</td><td>${visibleRow(pair.b) || '–'}</td></tr>`)}
        </tbody>
      </table>
      ${changed.length > mostChanges ? html`<p class="quiet">and ${changed.length - mostChanges} more, side by side</p>` : nothing}
    </div>
  `;
}
