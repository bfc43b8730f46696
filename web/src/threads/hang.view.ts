// Threads that wait for each other: cards of each cycle, the chain of what proves it, and a table with the evidence for each wait.
import './hang.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {groupsOf} from '../app/rows.ts';
import {textFor} from '../app/sources.ts';
import {mainThread, type OpenDump, openKey, type State} from '../app/state.ts';
import {nextSteps} from '../crash/facts.ts';
import {bytesLink} from '../memory/hex.view.ts';
import type {Report, Wait, WaitEvidence} from '../report.ts';
import {callName, placeText} from '../stack/names.ts';
import {firstRow} from '../stack/stack.ts';
import {counted, visible, visibleRow} from '../text/text.ts';
import {popover, popoverButton} from '../widgets/popover.view.ts';
import {more, rowsShown} from '../widgets/region.view.ts';
import {doubtful, sentenceWithCode} from '../widgets/text.view.ts';
import {hangOf, lockName, observed, proof, steps, type Waiter} from './hang.ts';
import {type Card, type CardLine, cards, drawn, groups, pillName, takesLocks} from './hang-cards.ts';

type Seen = Pick<State, 'opened' | 'layout' | 'lists' | 'frame'>;

export const hang = (state: Seen, dump: OpenDump, act: Actions): TemplateResult | typeof nothing => {
  const found = hangOf(dump.report);
  if (found === null) return nothing;
  const {cycles, waiting, unknown, title, words} = found;
  const rings = drawn(cycles);
  const lines = (file: string): readonly string[] | null => {
    const text = textFor(state, file);
    return text?.state === 'done' ? text.value.lines : null;
  };
  return html`
    <section class="hang" id="hang" tabindex="-1" aria-labelledby="hang-title">
      <div class="region-head">
        <h2 id="hang-title">${title}</h2>
        <span class="quiet">${words}</span>
      </div>
      <div class=${rings.length > 0 ? 'hang-body halves' : 'hang-body'}>
        <div class="hang-cards">
          ${rings.map(ring => cycle(state, dump, cards(ring, lines), act))}
          ${groupList(state, dump, [...waiting, ...unknown], act)}
          ${rings.map(ring => order(ring))}
          ${dump.report.verdict.crashed ? nothing : said(dump.report, rings.some(takesLocks))}
        </div>
        ${rings.length > 0 ? known(dump, rings.flat().slice(0, mostKnown), act) : nothing}
      </div>
      ${waits(state, dump, [...cycles.flat(), ...waiting, ...unknown], rings.length === 0, act)}
    </section>
  `;
};

// Two threads stand side by side, with their locks between them; a longer cycle is one column, and so is each in a narrow page.
const cycle = (state: Seen, dump: OpenDump, all: readonly Card[], act: Actions): TemplateResult => html`
  <ol class=${all.length === 2 ? 'cycle pair' : 'cycle'} aria-label="Each thread waits for the next one, and the last for the first">
    ${all.map((one, i) => html`${card(state, dump, one, all.length === 2 && i === 1, act)} ${link(one, all[(i + 1) % all.length] ?? one)}`)}
  </ol>
`;

const card = (
  state: Seen,
  dump: OpenDump,
  {waiter, waits, held, took}: Card,
  waitsFirst: boolean,
  act: Actions,
): TemplateResult => {
  const {thread, index} = waiter;
  const holds = html`<div class="card-part">
    <span>${held.wait.holder === 'joined' ? html`Has to end for ${threadTitle(held.thread)}` : html`Holds <code>${arrows(lockName(held.wait))}</code>`}</span>
    ${took === null ? (held.wait.holder === 'joined' ? nothing : html`<span class="quieter">${untold}</span>`) : at(index, took, true, act)}
  </div>`;
  const stuck = html`<div class="card-part stuck">
    <b>Waits for ${arrows(pillName(waiter))}</b>
    ${waits === null ? nothing : at(index, waits, false, act)}
  </div>`;
  return html`<li class="card">
    <div class="card-head"><button class="link tap" @click=${() => show(state, dump, index, act)}>${threadTitle(thread)}</button>${waits === null ? nothing : html`<code class="cut">${visibleRow(callName(waits.row))}</code>`}</div>
    ${waitsFirst ? html`${stuck} ${holds}` : html`${holds} ${stuck}`}
  </li>`;
};

const untold = 'The dump does not say which line took it';

/** A line of the program; which one took a lock is a guess. */
const at = (index: number, {row, number, text}: CardLine, guess: boolean, act: Actions): TemplateResult => {
  const where = placeText(row) ?? '';
  const title = guess ? 'A guess: this line of the source takes a lock with this name' : visibleRow(where);
  return html`<button class="link card-line" title=${title} @click=${() => act.select.row(index, row, 'push')}>${doubtful(guess || (row.guess && text !== null) ? 'a guess' : null)}${text === null ? html`<code>${visibleRow(callName(row))}</code> ${visibleRow(where)}` : html`<span class="line">${number}</span><code>${arrows(visibleRow(text))}</code>`}</button>`;
};

const link = (from: Card, to: Card): TemplateResult => html`<li class="wait-link">
  <span class="arrow">waits</span><code class="pill">${arrows(pillName(from.waiter))}</code><span class="arrow">${from.waiter.wait.holder === 'joined' ? 'which is' : 'held by'}</span><span class="link-end">${threadTitle(to.waiter.thread)}</span>
</li>`;

// A browser would break a line behind the hyphen of an arrow; it may behind the arrow.
const arrows = (name: string): readonly unknown[] =>
  name.split('->').map((part, i) => (i === 0 ? part : html`<span class="name-arrow">-></span><wbr />${part}`));

const groupList = (
  state: Seen,
  dump: OpenDump,
  waiters: readonly Waiter[],
  act: Actions,
): TemplateResult | typeof nothing =>
  waiters.length === 0
    ? nothing
    : html`<ul class="waiting">
        ${groups(waiters).map(
          group => html`<li>
            <button class="link tap" @click=${() => show(state, dump, group.first.index, act)}>${group.count > 1 ? counted(group.count, 'thread') : threadTitle(group.first.thread)}</button>
            ${group.count > 1 ? html`<span class="quiet">${group.names}</span>` : nothing}
            ${group.count > 1 ? 'wait for' : 'waits for'} <code class=${group.unknown === null ? 'pill' : 'pill unknown'}>${arrows(pillName(group.first))}</code>
            ${group.unknown === null ? nothing : html`<span class="doubt">owner not known: ${group.unknown}</span>`}
          </li>`,
        )}
      </ul>`;

// Each thread holds one lock while it waits for the next: taking them in one order prevents that.
const order = (ring: readonly Waiter[]): TemplateResult | typeof nothing =>
  takesLocks(ring)
    ? html`<p class="detail order">Take ${ring.length === 2 ? 'both' : 'these'} locks in one order: ${ring.map(({thread, wait}, i) => html`${i > 0 ? ', ' : ''}${threadTitle(thread)} takes <code>${lockName((ring.at(i - 1) as Waiter).wait)}</code> then <code>${lockName(wait)}</code>`)}.</p>`
    : nothing;

const said = (report: Report, ordered: boolean): TemplateResult => html`
  ${report.verdict.detail === '' ? nothing : html`<p class="detail">${sentenceWithCode(report.verdict.detail)}</p>`}
  ${nextSteps(report, ordered ? 'compare_locks' : '').map(step => html`<p class="detail">${sentenceWithCode(step)}</p>`)}
`;

// The chain beside the cards has so many waits.
const mostKnown = 8;

const known = (dump: OpenDump, all: readonly Waiter[], act: Actions): TemplateResult => html`
  <section class="trail hang-known" aria-labelledby="hang-known-title">
    <h2 id="hang-known-title">How it is known</h2>
    <ol>
      ${all.map(({thread, wait}) => {
        const {waits, owner} = steps(wait);
        return html`
          <li>${threadTitle(thread)} waits for <code>${lockName(wait)}</code><span class="quieter">${waits.map(e => read(e, act))}</span></li>
          ${owner === null ? nothing : html`<li>${ownerTitle(dump.report, wait)} ${wait.holder === 'joined' ? 'has to end' : 'holds it'}<span class="quieter">${read(owner, act)}</span></li>`}
        `;
      })}
    </ol>
  </section>
`;

const ownerTitle = ({threads}: Report, {thread}: Wait): unknown => {
  const owner = threads?.[thread ?? -1];
  return owner ? threadTitle(owner) : nothing;
};

const read = (e: WaitEvidence, act: Actions): TemplateResult => {
  const {read, means} = observed(e);
  const words = html`<code>${visibleRow(read)}</code>`;
  return html`<span class="read">${e.kind === 'word' && e.address ? bytesLink(e.address, words, act) : words} ${means}</span>`;
};

/** All waits, with the evidence for each: the same as the cards, and the threads that have none. */
const waits = (state: Seen, dump: OpenDump, all: readonly Waiter[], open: boolean, act: Actions): TemplateResult => {
  const key = `${dump.id}.hang`;
  return html`
    <details class="hang-waits" ?open=${open}>
      <summary>${counted(all.length, 'wait')} as a table</summary>
      <div class="scroll-x" tabindex="0" role="group" aria-label="Waits and their evidence">
        <table class="data blocks hang-table">
          <caption class="visually-hidden">Waits and their evidence</caption>
          <thead>
            <tr><th scope="col">Thread</th><th scope="col">Waits for</th><th scope="col">How it is known</th></tr>
          </thead>
          <tbody>
            ${rowsShown(state, key, all).map(waiter => row(state, dump, waiter, act))}
          </tbody>
        </table>
      </div>
      ${others(dump, all.length)}
      ${more(state, key, all.length, act)}
    </details>
  `;
};

// Threads that wait for work are not stuck.
const others = (dump: OpenDump, part: number): TemplateResult | typeof nothing => {
  const rest = (dump.report.hang?.waiting ?? 0) - part;
  return rest <= 0
    ? nothing
    : html`<p class="region-body quiet">${counted(rest, 'other thread')} ${rest === 1 ? 'waits' : 'wait'} for something else and ${rest === 1 ? 'is' : 'are'} no part of this.</p>`;
};

const threadTitle = ({thread_name, thread_id}: Waiter['thread']): TemplateResult =>
  thread_name ? html`<span><b>${visibleRow(thread_name)}</b> ${thread_id}</span>` : html`<b>thread ${thread_id}</b>`;

// Goes to the thread's stack, and opens the group that it is in.
function show(state: Seen, dump: OpenDump, index: number, act: Actions): void {
  const thread = dump.report.threads?.[index];
  const first = thread && firstRow(thread, null);
  if (first) act.select.row(index, first, 'push');
  const group = groupsOf(dump.report, mainThread(dump.report)).find(({threads}) => threads.includes(index));
  const key = group && openKey(dump, group.threads[0] ?? index, 'group');
  if (key !== undefined && !state.opened.has(key)) act.toggle(key);
}

const row = (state: Seen, dump: OpenDump, {index, thread, wait, stuck}: Waiter, act: Actions): TemplateResult => html`
  <tr class=${stuck ? 'stuck' : ''}>
    <th scope="row"><button class="link tap" @click=${() => show(state, dump, index, act)}>${threadTitle(thread)}</button></th>
    <td class="wide">${visible(wait.text)}</td>
    <td class="wide">${proved(`hang-${dump.id}-${index}`, wait)}</td>
  </tr>
`;

/** The observation that names the other thread; a click shows all evidence. */
const proved = (id: string, wait: Wait): TemplateResult | typeof nothing => {
  const first = proof(wait);
  if (!first) return nothing;
  const {read, means} = observed(first);
  return html`${popoverButton(id, 'link tap', html`<code>${visibleRow(read)}</code>`)} <span class="quiet">${means}</span> ${popover(id, evidence(wait))}`;
};

/** All evidence of a wait. */
export const evidence = (wait: Wait): TemplateResult => html`
  <p class="claim">Waits for ${visible(wait.text)}</p>
  <ul class="evidence">
    ${(wait.evidence ?? []).map(observed).map(({read, means}) => html`<li><code>${visibleRow(read)}</code>${means === '' ? nothing : html` <span class="quieter">${means}</span>`}</li>`)}
  </ul>
`;
