// What happened, with its evidence: verdict, facts, symbols, the crashing thread beside the selected frame, other threads.
import './crash.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import {ref} from 'lit-html/directives/ref.js';
import type {Actions} from '../app/actions.ts';
import {mainThread, type OpenDump, type State, sheetKey} from '../app/state.ts';
import type {Turns} from '../app/turns.ts';
import {inspector} from '../frame/inspector.view.ts';
import {mainStack} from '../stack/main.view.ts';
import {symbols} from '../symbols/symbols.view.ts';
import {hangOf} from '../threads/hang.ts';
import {hang} from '../threads/hang.view.ts';
import {threads, threadsWithInspector} from '../threads/threads.view.ts';
import {part} from '../widgets/part.view.ts';
import {panel} from './panel.view.ts';
import {within} from './split.ts';
import {splitter} from './split.view.ts';
import {verdict} from './verdict.view.ts';

const inStack = ['place', 'opened', 'layout', 'stack'] as const;

const inHang = ['opened', 'layout', 'lists', 'frame'] as const;

const inInspector = [
  ...(['dumps', 'place', 'pointed', 'opened', 'settings', 'layout'] as const),
  ...(['lists', 'stack', 'frame', 'variables'] as const),
] as const;

export const crash = (state: State, dump: OpenDump, act: Actions, turns: Turns): TemplateResult => {
  const main = mainThread(dump.report);
  const {width, across} = state.layout;
  // The split has one inspector beside all stacks; a single column has it below the stack whose frame is selected, and a phone in a sheet over the page.
  const here = width === 'narrow' ? state.opened.has(sheetKey) : width === 'wide' || state.place?.thread === main;
  const hung = !dump.report.verdict.crashed && hangOf(dump.report) !== null;
  const split = within(state.page.split, across);
  return html`<div class="first-screen">
    ${part(['place', 'messages', 'opened'], verdict, state, dump, act)}
    ${hung ? part(inHang, hang, state, dump, act) : part(['opened', 'layout', 'frame', 'stack'], panel, state, dump, act)}
    ${part(['place', 'opened', 'layout', 'symbols', 'privacy', 'again'], symbols, state, dump, act)}
    <div class="split" ${ref(element => shared(element, split))}>
      ${main === null ? noThreads() : part([...inStack, 'pointed', 'variables'], mainStack, state, dump, act)}
      ${width === 'wide' && main !== null ? splitter(split, act) : nothing}
      ${hung ? nothing : part(inHang, hang, state, dump, act)}
      ${here ? part(inInspector, inspector, state, dump, act, turns) : nothing}
      ${
        width !== 'medium'
          ? part([...inStack, 'lists', 'threads'], threads, state, dump, act, turns)
          : part([...inStack, ...inInspector, 'threads'], threadsWithInspector, state, dump, act, turns)
      }
    </div>
  </div>`;
};

// The policy refuses style attributes, but not styles that a script sets.
function shared(split: Element | undefined, share: number): void {
  if (split instanceof HTMLElement) split.style.setProperty('--share', String(share));
}

const noThreads = (): TemplateResult => html`
  <section class="stack-region" aria-labelledby="stack-title">
    <div class="region-head"><h2 id="stack-title">No threads</h2></div>
    <p class="region-body quieter">No thread of this dump could be read. The notes say why.</p>
  </section>
`;
