// The facts strip. A click copies the value.
import './facts.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {type OpenDump, openKey, type State} from '../app/state.ts';
import {visible, visibleRow} from '../text/text.ts';
import {type Fact, facts as factsOf, inOneRow} from './facts.ts';

/** What these views read of the state. */
type Seen = Pick<State, 'opened' | 'layout'>;

export const facts = (state: Seen, dump: OpenDump, act: Actions): TemplateResult => {
  const all = factsOf(dump.report);
  const key = openKey(dump, 0, 'facts');
  const isOpen = state.opened.has(key);
  const shown = state.layout.width === 'narrow' ? 0 : inOneRow(all, state.layout.across - margins);
  const hidden = all.length - shown;
  return html`
    <section class=${isOpen ? 'facts open' : 'facts'} aria-label="Facts">
      ${shown === 0 ? html`<p class="in-short cut">${visibleRow(inShort(all))}</p>` : nothing}
      <dl>
        ${all.map((fact, i) => html`<div class=${i < shown ? '' : 'later'}><dt>${fact.label}</dt><dd>${value(fact, act)}</dd></div>`)}
      </dl>
      ${
        hidden === 0
          ? nothing
          : html`<button class="button plain" aria-expanded=${isOpen} @click=${() => act.toggle(key)}>${buttonWords(isOpen, shown, hidden)}</button>`
      }
    </section>
  `;
};

// From the text's start to the gutter at the end.
const margins = 60;

const buttonWords = (isOpen: boolean, shown: number, hidden: number): string => {
  if (isOpen) return shown === 0 ? 'Hide facts' : 'Fewer';
  return shown === 0 ? 'Show facts' : `${hidden} more`;
};

const inShort = (all: readonly Fact[]): string =>
  all
    .slice(0, 3)
    .flatMap(fact => fact.value ?? [])
    .join(', ');

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
