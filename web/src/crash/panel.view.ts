// The crash panel: the source line with the values of its variables, or the instruction, that failed, with the mechanism in a
// sentence, and beside it where the bad value came from.
import './panel.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {codeKey, subject} from '../app/selected.ts';
import {mainThread, type OpenDump, type State} from '../app/state.ts';
import {argumentsKey} from '../app/variables.ts';
import {code, lacksCode} from '../frame/code.view.ts';
import {registersPanel} from '../frame/registers.view.ts';
import {hasLine, source} from '../frame/source.view.ts';
import {bytesLink} from '../memory/hex.view.ts';
import type {Report} from '../report.ts';
import {frameRows} from '../stack/frames.ts';
import {mark, placeText, rowName} from '../stack/names.ts';
import {brief} from '../text/hex.ts';
import {bare} from '../text/names.ts';
import {capital, visible, visibleRow} from '../text/text.ts';
import {ofRow} from '../variables/variables.ts';
import {doubtful, sentenceWithCode, withCode} from '../widgets/text.view.ts';
import {nextSteps} from './facts.ts';
import {type Trail, type TrailRow, trail} from './trail.ts';

type Seen = Pick<State, 'opened' | 'layout' | 'frame' | 'stack'>;

type Subject = NonNullable<ReturnType<typeof subject>>;

export const panel = (state: Seen, dump: OpenDump, act: Actions): TemplateResult | typeof nothing => {
  const {crash_info: crash, verdict} = dump.report;
  const found = verdict.crashed ? subject(dump) : null;
  const from = trail(crash);
  const steps = nextSteps(dump.report);
  const said = verdict.detail === '' ? nothing : html`<p class="detail">${sentenceWithCode(verdict.detail)}</p>`;
  if (!found && !from && verdict.detail === '' && steps.length === 0) return nothing;
  return html`
    <section class=${from ? 'crash-panel halves' : 'crash-panel'} aria-labelledby="panel-title">
      <h2 class="visually-hidden" id="panel-title">What failed</h2>
      <div class=${found && fails(found) && !hasLine(state, found.row) ? 'failed listing' : 'failed'}>
        ${bugCheck(dump.report)}
        ${found ? listing(state, found, said, act) : said}
        ${steps.map(step => html`<p class="next">${sentenceWithCode(step)}</p>`)}
      </div>
      ${from ? origin(from, state.layout.width === 'narrow', dump, act) : nothing}
    </section>
  `;
};

// What the parameters of a blue screen mean.
const bugCheck = ({dump, crash_info: {parameters, parameter_meanings: meanings}}: Report): unknown =>
  dump.kind.includes('kernel') && parameters
    ? html`<ol class="parameters" aria-label="Parameters of the bug check">
        ${parameters.map((value, i) => html`<li><code>${brief(value)}</code><span>${visible(capital(meanings?.[i] ?? ''))}</span></li>`)}
      </ol>`
    : nothing;

/** Whether the frame's instruction is the one that failed. */
const fails = (found: Subject): boolean =>
  found.thread.crashed && found.frame.frame === 0 && !found.dump.report.crash_info.no_address && mayHaveCode(found);

// A report that is text has no code, but a file of the module may.
const mayHaveCode = ({dump, frame}: Subject): boolean =>
  frame.trust !== 'prewalked' || dump.report.modules?.[frame.module_index ?? -1]?.symbols?.code === true;

// The lines where they are known, else the instructions if one of them failed. `d` shows the other one.
function listing(state: Seen, found: Subject, said: unknown, act: Actions): TemplateResult {
  const {dump, row} = found;
  const sourced = hasLine(state, row);
  const always = fails(found) && !sourced;
  const instructions = always || state.opened.has(codeKey(dump));
  const narrow = state.layout.width === 'narrow';
  const beside = {
    around: narrow ? 1 : 3,
    values: ofValues(state, found),
    culprit: dump.report.crash_info.origin?.[0]?.variable,
    said: instructions ? nothing : said,
  };
  return html`
    ${sourced && instructions ? nothing : source(state, row, beside, act)}
    ${instructions ? code(state, found, narrow ? 2 : 4, said) : sourced ? nothing : said}
    ${instructions && lacksCode(state, found) ? registersPanel(found, act, true) : nothing}
    ${always || !mayHaveCode(found) ? nothing : html`<button class="link tap flip" aria-keyshortcuts="d" @click=${() => act.toggle(codeKey(dump))}>${instructions ? 'Hide instructions' : 'Disassembly'}</button>`}
  `;
}

function ofValues(state: Seen, {dump, index, frame, row}: Subject): ReturnType<typeof ofRow> {
  const known = state.stack.rowArguments.get(argumentsKey(dump.id, index))?.frames.get(frame.frame);
  return known ? ofRow(known, row) : [];
}

// A phone shows it on request.
function origin(from: Trail, narrow: boolean, dump: OpenDump, act: Actions): TemplateResult {
  const {value, rows, end, guess} = from;
  const title = html`<h2 id="trail-title">Where ${value === null ? 'it' : html`<code>${value}</code>`} comes from</h2>`;
  const list = html`
    ${guess ? html`<span class="quiet">solid: proved · <span class="doubt">dashed: a guess</span></span>` : nothing}
    <ol>
      ${rows.map(row => step(row, dump, act))}
      <li class=${guess ? 'end guess' : 'end'}>${sentenceWithCode(end)}</li>
    </ol>
  `;
  return html`<section class="trail" aria-labelledby="trail-title">
    ${narrow ? html`<details><summary>${title}</summary>${list}</details>` : html`${title} ${list}`}
  </section>`;
}

const step = (row: TrailRow, dump: OpenDump, act: Actions): TemplateResult => html`
  <li class=${row.guess ? 'guess' : nothing}>
    ${doubtful(row.guess ? 'other ways may lead here' : null)}${withCode(row.words)} ${row.caller === null ? nothing : caller(row.caller, dump, act)}
    <span class="quieter">${row.memory === null ? nothing : html`${bytesLink(row.memory, html`<code>${brief(row.memory)}</code>`, act)} `}${withCode(row.detail)}</span>
  </li>
`;

// The call that passed the value: the innermost row of the caller's frame.
function caller(frame: number, dump: OpenDump, act: Actions): TemplateResult {
  const index = mainThread(dump.report) ?? -1;
  const thread = dump.report.threads?.[index];
  const row = thread && frameRows(thread, thread.crashed).find(r => r.frame.frame === frame);
  if (!row) return html`the caller`;
  const at = placeText(row);
  return html`<button class="link tap" @click=${() => act.select.row(index, row, 'push')}>${mark(row)}<code>${visibleRow(bare(rowName(row)))}</code></button>${at === null ? nothing : `, ${visibleRow(at)}`}`;
}
