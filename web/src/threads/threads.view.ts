// The other threads, grouped by identical stack. A group opens to the same rows as the crashing thread.
import './threads.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {groupsOf} from '../app/rows.ts';
import {mainThread, type OpenDump, openKey, type State} from '../app/state.ts';
import {type InspectorState, inspector} from '../frame/inspector.view.ts';
import {notWalked} from '../report.ts';
import {frameRows} from '../stack/frames.ts';
import {doubt, functionName, placeText, rowName} from '../stack/names.ts';
import {stack} from '../stack/stack.view.ts';
import {counted, visibleRow} from '../text/text.ts';
import {searchField} from '../widgets/field.view.ts';
import {popover, popoverButton} from '../widgets/popover.view.ts';
import {more, rowsShown} from '../widgets/region.view.ts';
import {doubtful, nameInRow} from '../widgets/text.view.ts';
import {type Group, matches} from './groups.ts';
import {evidence} from './hang.view.ts';
import {strip} from './strip.view.ts';
import {tasks} from './tasks.view.ts';

type Seen = Pick<State, 'place' | 'opened' | 'layout' | 'lists' | 'stack' | 'threads'>;

// With more groups than this, users search for a thread instead of reading all of them.
const filterFrom = 6;

/** What stands below the rows of the thread whose frame is selected. */
type Below = () => unknown;

export const threads = (state: Seen, dump: OpenDump, act: Actions): unknown => list(state, dump, act, () => nothing);

/** The same where the inspector has no column of its own. */
export const threadsWithInspector = (state: Seen & InspectorState, dump: OpenDump, act: Actions): unknown =>
  list(state, dump, act, () => inspector(state, dump, act));

const list = (state: Seen, dump: OpenDump, act: Actions, below: Below): TemplateResult | TemplateResult[] => {
  const main = mainThread(dump.report);
  const groups = groupsOf(dump.report, main);
  if (groups.length === 0) return tasks(state, dump, act);
  const count = groups.reduce((n, g) => n + g.threads.length, 0);
  const found = groups.filter(group => matches(dump.report, group, state.threads.filter));
  const shown = rowsShown(state, groupsKey(dump), found);
  return html`
    <section class="threads-region" id="threads" tabindex="-1" aria-labelledby="threads-title">
      <div class="region-head">
        <h2 id="threads-title">Other threads</h2>
        <span class="quiet" role="status">${counted(count, 'thread')}${variety(count, groups.length)}${state.threads.filter === '' ? '' : `, ${found.length} shown`}</span>
        <span class="end">
          <button class="button plain" @click=${() => act.select.stacks(true)}>Parallel stacks</button>
          ${groups.length >= filterFrom ? searchField('filter', 'Filter threads by function, module or name', 'Filter', state.threads.filter, act.filter) : nothing}
        </span>
      </div>
      ${strip(state, dump, act)}
      <div class="group-head" aria-hidden="true"><span></span><span>×</span><span>Thread</span><span>Where it is</span><span>Frames</span></div>
      <ul class="groups">
        ${shown.map(group => html`<li>${groupRow(state, dump, group, act, below)}</li>`)}
      </ul>
      ${more(state, groupsKey(dump), found.length, act)}
    </section>
    ${tasks(state, dump, act)}
  `;
};

const variety = (threads: number, stacks: number): string => {
  if (threads === 1) return '';
  return stacks === threads ? ', all different' : `, ${counted(stacks, 'different stack')}`;
};

const groupsKey = (dump: OpenDump): string => `${dump.id}.groups`;

const groupRow = (state: Seen, dump: OpenDump, group: Group, act: Actions, below: Below): TemplateResult => {
  const index = group.threads[0] ?? 0;
  const key = openKey(dump, index, 'group');
  const open = state.opened.has(key);
  return html`
    <button class="group" id="group-${index}" aria-expanded=${open} @click=${() => act.toggle(key)}>
      <span class="twisty" aria-hidden="true">${open ? '▼' : '▶'}</span>
      <span class="times"><span class="visually-hidden">${counted(group.threads.length, 'thread')}: </span><span aria-hidden="true">${group.threads.length}</span></span>
      <span class="who cut">${who(dump, group)}</span>
      <span class="where">${where(group)}</span>
      <span class="frames">${framesOf(group)}<span class="visually-hidden"> frames</span></span>
    </button>
    ${open && group.threads.length === 1 ? waitOf(dump, index) : nothing}
    ${open ? stack(state, dump, index, act) : nothing}
    ${open && state.place?.thread === index ? below() : nothing}
  `;
};

// Threads of one group may wait for different locks, so a group of several shows no wait. The table of the hang has them.
const waitOf = (dump: OpenDump, index: number): TemplateResult | typeof nothing => {
  const wait = dump.report.threads?.[index]?.waits;
  if (!wait) return nothing;
  const id = `wait-${dump.id}-${index}`;
  return html`<p class="wait">Waits for ${visibleRow(wait.text)} ${popoverButton(id, 'link tap', html`How it is known`)} ${popover(id, evidence(wait))}</p>`;
};

// "1 + ?": one certain frame, and guesses.
function framesOf({first, frames}: Group): string {
  const guesses = frameRows(first, false).filter(row => row.guess).length;
  return guesses === 0 ? `${frames}` : `${frames - guesses} + ?`;
}

const who = (dump: OpenDump, {first, names, threads: indexes}: Group): TemplateResult => {
  const main = indexes[0] === 0 ? html` <span class="quiet">first</span>` : nothing;
  const name = names[0];
  if (name === undefined) {
    return indexes.length === 1
      ? html`${first.thread_id}${main}`
      : html`${first.thread_id}${main} <span class="quiet">and ${indexes.length - 1} more</span>`;
  }
  const id =
    indexes.length === 1
      ? html` <span class="quiet">${dump.report.threads?.[indexes[0] ?? 0]?.thread_id}</span>`
      : nothing;
  const rest =
    names.length > 1 ? html` <span class="quiet">and ${counted(names.length - 1, 'other name')}</span>` : nothing;
  return html`${visibleRow(name)}${id}${rest}${main}`;
};

const where = ({state: doing, where: row, first}: Group): TemplateResult => {
  if (first.dump_writer) return html`<span class="cut">Wrote the dump</span>`;
  if (!row) return html`<span class="quiet">${first.end.kind === notWalked ? 'not walked yet' : 'no frames'}</span>`;
  const at = placeText(row);
  const name = functionName(row);
  return html`<span class="pieces"
    >${doing === null ? nothing : html`<span class="keep">${visibleRow(doing)} <span class="quieter">in </span></span>`}${doubtful(doubt(row))}<code class="where-name"
      >${name === null ? visibleRow(rowName(row)) : nameInRow(name)}</code
    >${at === null ? nothing : html`<code class="quieter where-place"> ${visibleRow(at)}</code>`}</span
  >`;
};
