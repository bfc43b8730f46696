// What happened, with its evidence: verdict, facts, symbols, the crashing thread beside the
// selected frame, other threads.
import './crash.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import {ref} from 'lit-html/directives/ref.js';
import type {Actions} from '../app/actions.ts';
import {mainThread, type OpenDump, type State} from '../app/state.ts';
import type {Turns} from '../app/turns.ts';
import {inspector} from '../frame/inspector.view.ts';
import {mainStack} from '../stack/stack.view.ts';
import {symbols} from '../symbols/symbols.view.ts';
import {hang} from '../threads/hang.view.ts';
import {threads} from '../threads/threads.view.ts';
import {part} from '../widgets/part.view.ts';
import {facts} from './facts.view.ts';
import {within} from './split.ts';
import {splitter} from './split.view.ts';
import {verdict} from './verdict.view.ts';

export const crash = (state: State, dump: OpenDump, act: Actions, turns: Turns): TemplateResult => {
  const main = mainThread(dump.report);
  // The split has one inspector beside all stacks; a single column has it below the stack whose frame is selected.
  const here = state.width === 'wide' || state.place?.thread === main;
  return html`
    ${part(verdict, state, dump, act)} ${part(hang, state, dump, act)} ${part(facts, state, dump, act)} ${part(symbols, state, dump, act)}
    <div class="split" ${ref(split => shared(split, within(state.split, state.across)))}>
      ${main === null ? noThreads() : part(mainStack, state, dump, act)}
      ${state.width === 'wide' && main !== null ? splitter(within(state.split, state.across), act) : nothing}
      ${here ? part(inspector, state, dump, act, turns) : nothing}
      ${part(threads, state, dump, act, turns)}
    </div>
  `;
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
