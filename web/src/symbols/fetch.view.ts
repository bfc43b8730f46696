// Requests for symbols to the host: the exact list first, and no request before the user agrees.
import '../page/privacy.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {currentDump, type State} from '../app/state.ts';
import {requestList} from '../privacy/request-list.ts';
import {counted, visibleRow} from '../text/text.ts';
import {dialog} from '../widgets/popover.view.ts';

/** The button in the symbols section; nothing where the host offers none. */
export const askButton = (state: Pick<State, 'privacy'>, act: Actions): TemplateResult | typeof nothing =>
  state.privacy.host === null
    ? nothing
    : html`<button class="button" @click=${state.privacy.requesting ? act.privacy.stopFetching : () => dialog('request-symbols')?.showModal()}>${words(state)}</button>`;

const words = ({privacy: {requesting}}: Pick<State, 'privacy'>): string =>
  requesting ? `Stop, ${requesting.done} of ${requesting.all}` : 'Get from this host\u2026';

/** The list, and the button that starts the requests. */
export const requestDialog = (state: State, act: Actions): TemplateResult | typeof nothing => {
  const {host} = state.privacy;
  const dump = currentDump(state);
  if (!host || !dump) return nothing;
  const list = requestList(dump.report, host.builds);
  return html`
    <dialog class="request-symbols" id="request-symbols" aria-labelledby="request-symbols-title">
      <h2 id="request-symbols-title">Get symbols from this host</h2>
      <p>
        These ${counted(list.length, 'name')} and ids would go to <code>${host.url}</code>, and from there to the symbol servers
        of its owner. They reveal which programs and libraries were loaded. Of large files only parts are requested; these reveal
        roughly which functions were on the stacks. Nothing else of the dump is sent.
      </p>
      <ul>
        ${list.map(({path}) => html`<li><code>${visibleRow(path)}</code></li>`)}
      </ul>
      <button class="button primary" ?disabled=${list.length === 0} @click=${() => allow(act)}>
        Get ${counted(list.length, 'file')}
      </button>
      <button class="button" @click=${close}>Cancel</button>
    </dialog>
  `;
};

const close = (): void => dialog('request-symbols')?.close();

function allow(act: Actions): void {
  close();
  void act.privacy.fetchSymbols();
}
