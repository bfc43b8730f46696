// The answer and its grounds: verdict, facts, symbols, the crashing thread beside the frame that is looked at, other threads.
import './crash.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {mainThread, type OpenDump, type State} from '../app/state.ts';
import {facts} from './facts.ts';
import {inspector} from './inspector.ts';
import {mainStack} from './stack.ts';
import {symbols} from './symbols.ts';
import {threads} from './threads.ts';
import {verdict} from './verdict.ts';

export const crash = (state: State, dump: OpenDump, act: Actions): TemplateResult => {
  const main = mainThread(dump.report);
  // The split has one inspector beside all stacks; a single column has it below the stack whose frame is selected.
  const here = state.width === 'wide' || state.place?.thread === main;
  return html`
    ${verdict(state, dump, act)} ${facts(dump, act)} ${symbols(state, dump, act)}
    <div class="split">
      ${main === null ? noThreads() : mainStack(state, dump, main, act)}
      ${here ? inspector(state, dump, act) : nothing}
      ${threads(state, dump, act)}
    </div>
  `;
};

const noThreads = (): TemplateResult => html`
  <section class="stack-region" aria-labelledby="stack-title">
    <div class="region-head"><h2 id="stack-title">No threads</h2></div>
    <p class="region-body quieter">No thread of this dump could be read. The notes say why.</p>
  </section>
`;
