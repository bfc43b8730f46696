// What passes: reading, a word about what was just done, files above the window.
import './status.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State, Work} from '../app/state.ts';
import {speed} from '../logic/format.ts';
import {baseName, visibleRow} from '../logic/text.ts';

const verbs = {reading: 'Reading', indexing: 'Indexing', walking: 'Walking the stacks of', writing: 'Writing'} as const;

/** "Reading libxul.sym, 43 %, 1.1 GB/s". */
export function workWords({progress, since}: Work, now: number): string {
  if (!progress) return 'Reading';
  const words = [`${verbs[progress.phase]} ${visibleRow(baseName(progress.file))}`.trim()];
  if (progress.total > 0) words.push(`${Math.floor((100 * progress.done) / progress.total)} %`);
  const seconds = (now - since) / 1000;
  if (progress.phase !== 'walking' && seconds > 0.5 && progress.done > 1e6) words.push(speed(progress.done / seconds));
  return words.join(', ');
}

/** A thin bar under the top bar, the words, and a way to stop. It takes no room: nothing moves when it comes or goes. */
export const progress = (state: State, act: Actions): TemplateResult => html`
  <div class="progress" ?hidden=${state.work === null}>
    ${
      state.work === null
        ? nothing
        : html`<progress
              aria-label="Reading files"
              max=${state.work.progress?.total || 1}
              value=${state.work.progress?.total ? state.work.progress.done : nothing}
            ></progress>
            <p class="words">
              <span aria-hidden="true">${workWords(state.work, performance.now())}</span>
              <button class="link" @click=${act.open.cancel}>Cancel</button>
            </p>`
    }
  </div>
`;

/** Where the verdict will stand, while a first dump is read. */
export const reading = (state: State): TemplateResult => html`
  <div class="verdict skeleton" aria-busy="true">
    <h1 tabindex="-1" id="title">${state.work ? workWords(state.work, performance.now()) : 'Reading'}</h1>
    <p class="bone"></p>
    <p class="bone short"></p>
  </div>
`;

export const toast = (state: State): TemplateResult => html`
  <div class="toast" role="status" ?hidden=${state.toast === null}>${state.toast}</div>
`;

export const dropOverlay = (add: boolean): TemplateResult => html`
  <div class="drop-overlay" aria-hidden="true"><span>${add ? 'Drop to add to this report' : 'Drop to open'}</span></div>
`;
