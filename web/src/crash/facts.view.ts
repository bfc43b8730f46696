// The facts in one line, and on request all of them, with the findings and their evidence. A click on a value copies it.
import './facts.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {type OpenDump, openKey, type State} from '../app/state.ts';
import type {Badge} from '../report.ts';
import {visible, visibleRow} from '../text/text.ts';
import {sentenceWithCode} from '../widgets/text.view.ts';
import {damageBadge} from './damage.ts';
import {type Fact, factLine, facts as factsOf} from './facts.ts';

export const facts = ({opened}: Pick<State, 'opened'>, dump: OpenDump, act: Actions): TemplateResult => {
  const key = openKey(dump, 0, 'facts');
  const isOpen = opened.has(key);
  const damage = damageBadge(dump.report);
  const findings = [...(dump.report.verdict.badges ?? []), ...(damage ? [damage] : [])];
  const doubts = findings.filter(({kind}) => kind === 'doubt');
  return html`
    <section class=${isOpen ? 'facts open' : 'facts'} aria-label="Facts">
      <p class="in-short">
        ${factLine(dump.report).map(part => html`<span>${visibleRow(part)}</span> `)}
        ${doubts.map(doubt => html`<span class="doubt">${/^[?~✕]/.test(doubt.text) ? '' : '? '}${visible(doubt.text)}</span> `)}
        <span><button class="link tap" aria-expanded=${isOpen} @click=${() => act.toggle(key)}>${isOpen ? 'Fewer facts' : 'All facts'}</button></span>
      </p>
      <div class="all">
        <dl>
          ${factsOf(dump.report).map(fact => html`<div><dt>${fact.label}</dt><dd>${value(fact, act)}</dd></div>`)}
        </dl>
        ${findings.length === 0 ? nothing : html`<ul class="findings" aria-label="Findings">${findings.map(finding)}</ul>`}
      </div>
    </section>
  `;
};

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

const finding = ({kind, text, evidence, confidence}: Badge): TemplateResult => html`
  <li class="finding ${kind}">
    <b>${visible(text)}</b>
    ${confidence === null ? nothing : html`<span class="quieter">Confidence ${Math.round(confidence * 100)} %</span>`}
    <ul>
      ${(evidence ?? []).map(line => html`<li>${sentenceWithCode(line)}</li>`)}
    </ul>
  </li>
`;
