// What happened in one sentence, with the facts in one line.
import './verdict.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {changedFrames} from '../app/merge.ts';
import type {OpenDump, State} from '../app/state.ts';
import {bare} from '../text/names.ts';
import {counted, visible} from '../text/text.ts';
import {doubtful} from '../widgets/text.view.ts';
import {facts} from './facts.view.ts';

type Seen = Pick<State, 'place' | 'messages' | 'opened'>;

export const verdict = (state: Seen, dump: OpenDump, act: Actions): TemplateResult => {
  const {what, where, at, guess, crashed, finding} = dump.report.verdict;
  return html`
    <section class="verdict" id="crash" tabindex="-1" aria-labelledby="title">
      ${mark(crashed, (dump.report.hang?.cycles ?? []).length > 0)}
      <h1 id="title" tabindex="-1">
        ${visible(what)}${where === null ? nothing : html`${guess ? html`, probably in ${doubtful('found by scanning')}` : finding === 'bug_check' ? ', in ' : ' in '}<code>${visible(bare(where))}</code>`}${
          at === null ? nothing : html` at <code>${visible(at)}</code>`
        }
      </h1>
      ${facts(state, dump, act)}
      <p class="outcome" role="status">${outcome(state, dump, act)}</p>
    </section>
  `;
};

// A cycle marks the cause of a hang, as the diamond marks the place of a crash.
const mark = (crashed: boolean, stuck: boolean): TemplateResult =>
  !crashed && stuck
    ? html`<span class="mark cycle" aria-hidden="true">⟳</span>`
    : html`<span class=${crashed ? 'mark diamond' : 'mark ring'} aria-hidden="true"></span>`;

// The verdict never changes silently.
const outcome = (state: Seen, dump: OpenDump, act: Actions): unknown => {
  if (dump.waiting === null) return state.messages.outcome === null ? nothing : visible(state.messages.outcome);
  const thread = state.place?.thread ?? 0;
  const n = changedFrames(dump.report.threads?.[thread], dump.waiting.threads?.[thread]);
  return html`New symbols change ${counted(n, 'frame')}. <button class="link tap" @click=${act.showWaiting}>Show</button>`;
};
