// Files that could not be used, or only in part: each with a sentence that says why.
import './problems.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import {counted, visible, visibleRow} from '../text/text.ts';

// A dropped folder may hold thousands of useless files; showing the first ones suffices.
const most = 50;

export const problems = (state: State, act: Actions): TemplateResult | typeof nothing =>
  state.messages.problems.length === 0
    ? nothing
    : html`
        <section class="problems" role="alert" aria-labelledby="problems">
          <div class="sheet-head">
            <h2 id="problems">${state.messages.problems.length === 1 ? 'One file has a problem' : `${counted(state.messages.problems.length, 'file')} have problems`}</h2>
            <button class="button" @click=${act.dismissProblems}>Dismiss</button>
          </div>
          <dl>
            ${state.messages.problems.slice(0, most).map(
              file => html`<div>
                <dt class="mono">${visibleRow(file.name)}</dt>
                <dd>${visible(file.message ?? '')}</dd>
              </div>`,
            )}
          </dl>
          ${state.messages.problems.length > most ? html`<p class="quieter">and ${counted(state.messages.problems.length - most, 'more file')}</p>` : nothing}
        </section>
      `;
