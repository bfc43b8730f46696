// Temporary messages: the progress of reading, the result of an action, the hint while files are dragged.
import './status.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import type {Work} from './state.ts';
import {loadingWords, workWords} from './work.ts';

/** A thin bar under the top bar and, beside a report that is shown, the words and a way to stop. It takes no room: nothing moves when it comes or goes. */
export const progress = (state: State, shown: boolean, act: Actions): TemplateResult => html`
  <p class="visually-hidden" role="status">${state.reading.spoken}</p>
  <div class="progress" ?hidden=${state.reading.work === null}>
    ${
      state.reading.work === null
        ? nothing
        : html`<progress
              aria-label="Reading files"
              max=${state.reading.work.progress?.total || 1}
              value=${state.reading.work.progress?.total ? state.reading.work.progress.done : nothing}
            ></progress>
            ${shown ? words(state.reading.work, act) : nothing}`
    }
  </div>
`;

const words = (work: Work, act: Actions): TemplateResult => html`
  <p class="words"><span aria-hidden="true">${workWords(work, performance.now())}</span> ${cancel(act)}</p>
`;

const cancel = (act: Actions): TemplateResult =>
  html`<button class="link tap" @click=${act.open.cancel}>Cancel</button>`;

/** Stands in the place of the verdict while the first dump is read. */
export const reading = (state: State, act: Actions): TemplateResult => html`
  <div class="verdict skeleton" aria-busy="true">
    <h1 tabindex="-1" id="title">${readingWords(state)}</h1>
    <p class="bone"></p>
    <p class="bone short"></p>
    <p>${cancel(act)}</p>
  </div>
`;

function readingWords({reading: {engine, coming, work}}: State): string {
  if (engine.state === 'waiting') return loadingWords(coming);
  return work ? workWords(work, performance.now()) : 'Reading';
}

export const toast = (state: State, act: Actions): TemplateResult => html`
  <div class="toast" role="status" ?hidden=${state.messages.toast === null}>
    ${state.messages.toast}${state.closed === null || state.messages.toast === null ? nothing : html` <button class="link" @click=${act.reopen}>Undo</button>`}
  </div>
`;

export const dropOverlay = (add: boolean): TemplateResult => html`
  <div class="drop-overlay" aria-hidden="true"><span>${add ? 'Drop to add to this report' : 'Drop to open'}</span></div>
`;
