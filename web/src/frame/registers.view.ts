// The registers of a frame: first those that explain the crash, each with what it points to.
import type {Selected} from '../app/selected.ts';
import './registers.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {bytesLink} from '../memory/hex.view.ts';
import {column} from '../text/hex.ts';
import {counted, visibleRow} from '../text/text.ts';
import {type RegisterRow, registerRows, type Weight} from './registers.ts';

/** The registers, the most helpful ones first, without zeros; in short, those that point somewhere. */
export const registersPanel = ({dump, thread, frame}: Selected, act: Actions, short = false): TemplateResult => {
  const all = registerRows(dump.report, thread, frame);
  const rows = short ? all.filter(({weight}) => leads.includes(weight)) : all;
  if (rows.length === 0) {
    return html`<section class="panel"><h3>Registers</h3><p class="quieter">None was recovered for this frame.</p></section>`;
  }
  const zeros = rows.filter(r => r.weight === 'zero');
  const count = rows.length;
  const words =
    frame.trust === 'context'
      ? `${short ? 'that point somewhere' : count}, as captured`
      : `${counted(count, 'register')} recovered, the others were not`;
  return html`
    <section class="panel registers">
      <h3>Registers<span class="quiet">${words}</span></h3>
      <dl class="grid">${rows.filter(r => r.weight !== 'zero').map(row => register(row, act))}</dl>
      ${zeros.length === 0 ? nothing : html`<p><span class="quiet">Also 0:</span> <code>${zeros.map(r => visibleRow(r.name)).join(' ')}</code></p>`}
    </section>
  `;
};

const leads: readonly Weight[] = ['culprit', 'pc', 'sp', 'points'];

const register = (row: RegisterRow, act: Actions): TemplateResult => html`
  <div class=${row.weight}>
    <dt>${visibleRow(row.name)}</dt>
    <dd>${leads.includes(row.weight) ? bytesLink(row.value, column(row.value), act) : column(row.value)}</dd>
    <dd class="words cut" title=${row.words.length > 20 ? visibleRow(row.words) : nothing}>${visibleRow(row.words)}</dd>
  </div>
`;
