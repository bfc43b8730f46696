// The facts strip. A value is copied by a click on it.
import './facts.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import {visible, visibleRow} from '../text/text.ts';
import {type Fact, facts as factsOf} from './facts.ts';

export const facts = (_: State, dump: OpenDump, act: Actions): TemplateResult => html`
  <section class="facts" aria-label="Facts">
    <dl>
      ${factsOf(dump.report).map(fact => html`<div><dt>${fact.label}</dt><dd>${value(fact, act)}</dd></div>`)}
    </dl>
  </section>
`;

const value = ({label, value: text, extra, mono}: Fact, act: Actions): TemplateResult => {
  if (text === null) return html`<span class="quiet">not in dump</span>`;
  return html`<button
      class=${mono ? 'fact mono' : 'fact'}
      title="Copy"
      @click=${() => act.copy(text, `${label} copied`)}
    >
      ${visibleRow(text)}</button
    >${extra === '' ? nothing : html` <span class="quiet">${visible(extra)}</span>`}`;
};
