// The evidence of a value: its location by the debug information, the registers and words read for it, and the trust of the frame.
import type {Selected} from '../app/selected.ts';
import './evidence.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import {valuesKey} from '../app/variables.ts';
import {bytesLink} from '../memory/hex.view.ts';
import type {VariableEvidence} from '../report.ts';
import type {FrameRow} from '../stack/frames.ts';
import {brief, parse} from '../text/hex.ts';
import {visible, visibleRow} from '../text/text.ts';
import {popover} from '../widgets/popover.view.ts';
import {
  evidenceText,
  lackOf,
  placeOf,
  pointsTo,
  type TreeRow,
  type VariableRow,
  valueText,
  wholeValue,
} from './variables.ts';

type Seen = Pick<State, 'variables'>;

/** The popover's name. */
export const whyID = 'why-value';

/** The popover for the row whose evidence was requested last; empty before the first request. */
export const evidence = (
  rows: readonly TreeRow[],
  state: Seen,
  found: Selected,
  frame: FrameRow,
  act: Actions,
): TemplateResult => {
  const row = rows.find(
    (r): r is VariableRow => r.kind === 'variable' && `${valuesKey(found)}/${r.key}` === state.variables.why,
  );
  return popover(whyID, row ? sheet(row, frame, act) : html``);
};

const sheet = (row: VariableRow, frame: FrameRow, act: Actions): TemplateResult => {
  const {variable, root} = row;
  const text = valueText(variable);
  const trust = `as frame ${frame.number}: found by ${frame.frame.found_by}`;
  return html`
    <div class="evidence" role="group" aria-label="Why this value">
      <p class="evidence-head"><code><b>${visibleRow(variable.name)}</b>${text === null ? nothing : html` = ${visibleRow(text)}`}</code> <span class="quiet">Why this value</span></p>
      <dl>
        ${lack(row)} ${fact('Type', html`<code>${visible(variable.type)}</code>`)}
        ${row.level > 1 ? fact('Part of', html`<code>${visibleRow(root.name)}</code>, which the rest is about`) : nothing}
        ${root.location === null ? nothing : fact('Where', html`<code>${visible(root.location)}</code>`)}
        ${root.evidence ? grounds(root.evidence, act) : nothing} ${fact('Trust', trust)}
      </dl>
      <p class="evidence-actions">${actions(row, trust, act)}</p>
    </div>
  `;
};

const fact = (name: string, value: unknown): TemplateResult => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

const lack = ({variable}: VariableRow): TemplateResult | typeof nothing => {
  const found = lackOf(variable);
  if (!found) return nothing;
  return fact('Value', html`${found.words}${variable.why === null ? nothing : html`: ${visible(variable.why)}`}`);
};

const grounds = (e: VariableEvidence, act: Actions): TemplateResult => html`
  ${e.rule === '' ? nothing : fact('Rule', html`<code>${visible(e.rule)}</code>`)}
  ${Object.entries(e.registers ?? {}).map(([name, value]) => fact('Register', html`<code>${visible(name)} = ${brief(value)}</code>`))}
  ${(e.reads ?? []).map(read => fact('Read', html`<code>[${bytesLink(read.address, brief(read.address), act)}] = ${brief(read.value)}</code>`))}
  ${(e.more ?? 0) > 0 ? fact('', `and ${e.more} more reads`) : nothing}
  ${e.from === '' ? nothing : fact('From', visible(e.from))}
`;

const actions = (row: VariableRow, trust: string, act: Actions): TemplateResult => html`
  ${goTo('Go to memory', placeOf(row.variable) ?? placeOf(row.root), act)} ${goTo('Go to what it points to', pointsTo(row.variable), act)}
  <button class="link tap" @click=${() => act.copy(wholeValue(row.variable), 'Value copied')}>Copy value</button>
  <button class="link tap" @click=${() => act.copy(evidenceText(row, trust), 'Evidence copied')}>Copy evidence</button>
`;

const goTo = (words: string, address: string | null, act: Actions): TemplateResult | typeof nothing => {
  const at = parse(address);
  if (at === null) return nothing;
  const go = (): void => {
    document.getElementById(`${whyID}-popover`)?.hidePopover();
    act.bytes.show(at);
  };
  return html`<button class="link tap" @click=${go}>${words}</button>`;
};
