// What happened in one sentence, the mechanism in one or two, and claims that open to show their
// evidence.
import './verdict.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {changedFrames} from '../app/merge.ts';
import type {OpenDump, State} from '../app/state.ts';
import type {Badge} from '../report.ts';
import {bare} from '../text/names.ts';
import {counted, visible} from '../text/text.ts';
import {codeWords} from '../text/words-in-text.ts';
import {popover, popoverButton} from '../widgets/popover.view.ts';
import {damageBadge} from './damage.ts';
import {type Does, nextSteps} from './next.ts';

/** What these views read of the state. */
type Seen = Pick<State, 'place' | 'messages' | 'layout' | 'symbols'>;

// More badges than this are behind a button.
const most = 6;

export const verdict = (state: Seen, dump: OpenDump, act: Actions): TemplateResult => {
  const {what, where, at, guess, detail, crashed, badges} = dump.report.verdict;
  const damage = damageBadge(dump.report);
  return html`
    <section class="verdict" id="crash" tabindex="-1" aria-labelledby="title">
      ${mark(crashed, (dump.report.hang?.cycles ?? []).length > 0)}
      <h1 id="title" tabindex="-1">
        ${visible(what)}${where === null ? nothing : html`${guess ? html`, probably in <span class="tilde" title="Found by scanning">~</span>` : ' in'} <code>${visible(bare(where))}</code>`}${
          at === null ? nothing : html` at <code>${visible(at)}</code>`
        }
      </h1>
      ${detail === '' ? nothing : html`<p class="detail">${codeWords(visible(detail)).map(inline)}</p>`}
      ${badgeRow([...(badges ?? []), ...(damage ? [damage] : [])])}
      ${steps(state, dump, act)}
      <p class="outcome" role="status">${outcome(state, dump, act)}</p>
    </section>
  `;
};

// A cycle marks the cause of a hang, as the diamond marks the place of a crash.
const mark = (crashed: boolean, stuck: boolean): TemplateResult =>
  !crashed && stuck
    ? html`<span class="mark cycle" aria-hidden="true">⟳</span>`
    : html`<span class=${crashed ? 'mark diamond' : 'mark ring'} aria-hidden="true"></span>`;

const inline = ({text, code}: {text: string; code: boolean}): TemplateResult =>
  code ? html`<code>${text}</code>` : html`${text}`;

const steps = (state: Seen, {report}: OpenDump, act: Actions): TemplateResult | typeof nothing => {
  const list = nextSteps(report, state.symbols.shell, state.layout.width === 'narrow');
  if (list.length === 0) return nothing;
  return html`<div class="next">
    <h2>What to do next</h2>
    <ol>
      ${list.map(({words, does}) => html`<li><span>${words.map(inline)}</span> ${button(does, act)}</li>`)}
    </ol>
  </div>`;
};

function button(does: Does, act: Actions): TemplateResult | typeof nothing {
  if (does === null) return nothing;
  if (does.kind === 'row')
    return html`<button class="link tap" @click=${() => act.select.row(does.thread, does.row, 'push')}>Show frame ${does.row.number}</button>`;
  const [text, what] = does.kind === 'command' ? [does.command, 'command'] : [does.url, 'link'];
  const said = does.kind === 'command' ? 'Command copied' : 'Link copied';
  return html`<button class="link tap" @click=${() => act.copy(text, said)}>Copy ${what}</button>`;
}

// The verdict never changes silently.
const outcome = (state: Seen, dump: OpenDump, act: Actions): unknown => {
  if (dump.waiting === null) return state.messages.outcome === null ? nothing : visible(state.messages.outcome);
  const thread = state.place?.thread ?? 0;
  const n = changedFrames(dump.report.threads?.[thread], dump.waiting.threads?.[thread]);
  return html`New symbols change ${counted(n, 'frame')}. <button class="link tap" @click=${act.showWaiting}>Show</button>`;
};

const badgeRow = (badges: readonly Badge[]): TemplateResult | typeof nothing => {
  if (badges.length === 0) return nothing;
  // "1 more" would take as much room as the badge that it hides.
  const shown = badges.length === most + 1 ? badges : badges.slice(0, most);
  const rest = badges.slice(shown.length);
  return html`<ul class="badges" aria-label="Findings">
    ${shown.map((badge, i) => html`<li>${badgeButton(badge, `badge-${i}`)}</li>`)}
    ${
      rest.length === 0
        ? nothing
        : html`<li>
            ${popoverButton('badges', 'badge plain', html`${rest.length} more`)}
            ${popover('badges', html`${rest.map(badge => html`<div class="claim-in-list">${claim(badge)}</div>`)}`)}
          </li>`
    }
  </ul>`;
};

const badgeButton = (badge: Badge, id: string): TemplateResult => {
  const kind = badge.kind === 'cause' || badge.kind === 'doubt' ? badge.kind : 'plain';
  const glyph = kind === 'doubt' && !/^[?~✕]/.test(badge.text) ? html`<span aria-hidden="true">?</span> ` : nothing;
  return html`${popoverButton(id, `badge ${kind}`, html`${glyph}${visible(badge.text)}`)} ${popover(id, claim(badge))}`;
};

const claim = (badge: Badge): TemplateResult => html`
  <p class="claim">${visible(badge.text)}</p>
  <ul class="evidence">
    ${(badge.evidence ?? []).map(line => html`<li>${codeWords(visible(line)).map(inline)}</li>`)}
  </ul>
  ${badge.confidence === null ? nothing : html`<p class="quieter">Confidence ${Math.round(badge.confidence * 100)} %</p>`}
`;
