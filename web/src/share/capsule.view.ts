// The description of a capsule: its contents, and what it says of itself.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {State} from '../app/state.ts';
import type {About} from '../engine/types.ts';
import {counted, visibleRow} from '../text/text.ts';
import {claims} from './share.ts';

export const capsuleNote = ({capsule}: State): TemplateResult | typeof nothing => {
  if (!capsule) return nothing;
  const [dump, ...others] = capsule.names;
  return html`<details class="capsule">
    <summary>
      This page has its dump inside.
      ${said(capsule)}
    </summary>
    <ul>
      <li><code>${visibleRow(dump ?? '')}</code></li>
      ${others.map(name => html`<li><code>${visibleRow(name)}</code></li>`)}
    </ul>
    <p class="quieter">${counted(others.length, 'other file')}: records of symbol files, and lines of source.</p>
  </details>`;
};

const said = (capsule: About): TemplateResult | typeof nothing => {
  const words = claims(capsule);
  if (words === '') return nothing;
  const by = capsule.by === '' ? nothing : html` by <code>${visibleRow(capsule.by)}</code>`;
  return html`<span class="quieter">${words}${by}.</span>`;
};
