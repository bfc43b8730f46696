// The page as a whole: the regions in the order of the document.
import './app.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {currentDump, type OpenDump, type State, stacksKey} from '../app/state.ts';
import type {Turns} from '../app/turns.ts';
import {crash} from '../crash/crash.view.ts';
import {problems} from '../crash/problems.view.ts';
import {find} from '../find/find.view.ts';
import {linkNote} from '../link/link.view.ts';
import {capsuleNote} from '../share/capsule.view.ts';
import {share} from '../share/share.view.ts';
import {again, empty, stored} from '../start/empty.view.ts';
import {requestDialog} from '../symbols/fetch.view.ts';
import {baseName, counted, visibleRow} from '../text/text.ts';
import {parallelView} from '../threads/parallel.view.ts';
import {compare} from '../triage/compare.view.ts';
import {triage} from '../triage/triage.view.ts';
import {part} from '../widgets/part.view.ts';
import {help} from './help.view.ts';
import {sections} from './sections.view.ts';
import {dropOverlay, reading, toast} from './status.view.ts';
import {topbar} from './topbar.view.ts';

export const app = (state: State, act: Actions, turns: Turns): TemplateResult => {
  const dump = currentDump(state);
  const one = dump !== null && state.view === 'one';
  return html`
    <a class="skip visually-hidden" href=${one ? '#crash' : '#main'} @click=${skip}>Skip to the ${one ? 'stack' : 'page'}</a>
    ${topbar(state, dump, act)}
    <main id="main" tabindex="-1">
      ${capsuleNote(state)} ${problems(state, act)} ${linkNote(state, dump, act)}
      ${content(state, dump, act, turns)}
      ${stored(state, act)}
    </main>
    ${toast(state, act)} ${state.page.dragging ? dropOverlay(dump !== null) : nothing} ${help(state, act)} ${one ? find(state, act) : nothing} ${share(state, dump, act)} ${requestDialog(state, act)}
  `;
};

function content(state: State, dump: OpenDump | null, act: Actions, turns: Turns): unknown {
  if (!dump)
    return state.reading.work
      ? reading(state, act)
      : html`${again(state, act)} ${closedLast(state, act)} ${empty(state, act)}`;
  if (state.view === 'all') return part(['dumps', 'layout', 'lists', 'triage'], triage, state, null, act);
  if (state.view === 'pair') return part(['dumps', 'opened', 'layout', 'lists', 'triage'], compare, state, null, act);
  if (state.opened.has(stacksKey(dump))) return part(['layout', 'stack', 'threads'], parallelView, state, dump, act);
  return html`${crash(state, dump, act, turns)} ${sections(state, dump, act, turns)}`;
}

// The last closed dumps can be opened again until another dump is opened.
const closedLast = ({closed}: State, act: Actions): unknown =>
  closed === null
    ? nothing
    : html`<p class="region-body">
        <button class="button" id="reopen" @click=${act.reopen}>Open ${closed.dumps.length === 1 ? visibleRow(baseName(closed.dumps[0]?.dump.name ?? '')) : counted(closed.dumps.length, 'dump')} again</button>
      </p>`;

// The fragment is the selection's; a jump within the page must not change it.
function skip(event: Event): void {
  event.preventDefault();
  const targets = ['tr.frame[tabindex="0"]', '#crash', '#main'].map(at => document.querySelector<HTMLElement>(at));
  targets.find(target => target !== null)?.focus();
}
