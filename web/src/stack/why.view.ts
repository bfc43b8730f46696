// Why this frame: the methods that were tried in order, also those that were refused, with the memory that each read.

import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {Selected} from '../app/selected.ts';
import {type State, threadKey} from '../app/state.ts';
import {bytesLink} from '../memory/hex.view.ts';
import type {Frame, Read, Step} from '../report.ts';
import {brief, column} from '../text/hex.ts';
import {codeWords, visible, visibleLines} from '../text/text.ts';
import {sentenceWithCode} from '../widgets/text.view.ts';
import {scanned} from './frames.ts';
import './why.css';

type Seen = Pick<State, 'frame'>;

export const why = (state: Seen, found: Selected, act: Actions): TemplateResult => html`
  <section class="panel why">
    <h3>Why this frame<span class="quiet">${found.frame.frame === 0 ? 'where the thread stood' : 'how it was found from the one it called'}</span></h3>
    ${scanned(found.frame) ? doubt() : nothing} ${body(state, found, act)} ${theEnd(state, found, act)}
  </section>
`;

const doubt = (): TemplateResult => html`
  <p class="note-box">
    <span aria-hidden="true">?</span>
    <span><b>Found by scanning.</b> A word of the stack looks like a return address. It may be left from an earlier call.</span>
  </p>
`;

function body(state: Seen, {dump, index, frame}: Selected, act: Actions): TemplateResult {
  const explained = state.frame.explained.get(threadKey(dump, index));
  if (explained?.state === 'failed') return html`<p class="quieter">${explained.why}</p>`;
  const steps =
    frame.evidence ?? (explained?.state === 'done' ? evidenceOf(explained.value.frames ?? [], frame) : null);
  if (steps === null) return html`<p class="quiet">Reading</p>`;
  if (steps.length === 0 && frame.trust === 'context') {
    return html`<p class="quieter">The thread stood here: its registers are in the dump, so nothing had to be found.</p>`;
  }
  if (steps.length === 0) return html`<p class="quieter">Nothing was recorded for this frame.</p>`;
  return html`<ol>
    ${steps.map(s => step(s, act))}
  </ol>`;
}

// The outermost frame also shows why the stack ends there.
function theEnd(state: Seen, {dump, index, thread, frame}: Selected, act: Actions): TemplateResult | typeof nothing {
  if (frame !== thread.frames?.at(-1)) return nothing;
  const explained = state.frame.explained.get(threadKey(dump, index));
  const {reason, complete, evidence} = explained?.state === 'done' ? explained.value.end : thread.end;
  return html`
    <h3 class="then">Why no frame follows<span class="quiet">${complete ? 'the stack is complete' : 'it is cut short'}</span></h3>
    <p class="quieter">${sentenceWithCode(reason)}</p>
    ${evidence && evidence.length > 0 ? html`<ol>${evidence.map(s => step(s, act))}</ol>` : nothing}
  `;
}

const evidenceOf = (frames: readonly Frame[], frame: Frame): readonly Step[] =>
  frames.find(f => f.frame === frame.frame && f.offset === frame.offset)?.evidence ?? [];

const step = ({method, result, text, reads}: Step, act: Actions): TemplateResult => html`
  <li>
    <span class="method">${visible(method)}</span>
    <span class=${result === 'accepted' ? 'result accepted' : 'result'}>${visible(result)}</span>
    <div class="text">${grounds(visibleLines(text))} ${readList(reads ?? [], act)}</div>
  </li>
`;

// One line is a sentence; several are a rule as it was evaluated, each on a line of its own.
const grounds = (lines: readonly string[]): unknown =>
  lines.length > 1
    ? lines.map(line => html`<code class="rule">${line}</code>`)
    : codeWords(lines[0] ?? '').map(w => (w.code ? html`<code>${w.text}</code>` : w.text));

const mostReads = 24;

const readList = (reads: readonly Read[], act: Actions): TemplateResult | typeof nothing =>
  reads.length === 0
    ? nothing
    : html`<ul class="reads-list" aria-label="Words read">
        ${reads.slice(0, mostReads).map(r => html`<li><code>[${bytesLink(r.address, brief(r.address), act)}] = ${column(r.value)}</code></li>`)}
        ${reads.length > mostReads ? html`<li class="quiet">and ${reads.length - mostReads} more</li>` : nothing}
      </ul>`;
