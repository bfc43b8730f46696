// The bar at the top: the open dump, its sections, and the actions that are always available.
import './topbar.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import {openFind} from '../find/find.view.ts';
import {size} from '../text/format.ts';
import {baseName, thin, visibleRow} from '../text/text.ts';
import {tableItems} from '../triage/triage.view.ts';
import {filePicker} from '../widgets/files.view.ts';
import {scrollToSection} from '../widgets/focus.ts';
import {part} from '../widgets/part.view.ts';
import {item, popover, popoverButton} from '../widgets/popover.view.ts';
import {openHelp} from './help.view.ts';
import {privacy, requests} from './privacy.view.ts';
import {sectionList} from './sections.ts';
import {progress} from './status.view.ts';

export const topbar = (state: State, dump: OpenDump | null, act: Actions): TemplateResult => html`
  <header class="topbar">
    <span class="brand">Crashglass</span>
    ${dump ? html`${allDumps(state, act)} ${state.view !== 'one' ? nothing : html`${part(['dumps'], dumpMenu, state, dump, act)} ${part(['page'], nav, state, dump, act)}`}` : nothing}
    <span class="tools">${requests(state)}${privacy(state, act)} ${state.layout.width === 'narrow' ? oneMenu(state, dump, act) : allTools(state, dump, act)}</span>
    ${progress(state, dump !== null, act)}
  </header>
`;

const allTools = (state: State, dump: OpenDump | null, act: Actions): TemplateResult => html`
  ${dump && state.view === 'one' ? findButton(act) : nothing}
  ${dump || state.reading.work ? filePicker('Add files', 'o', 'button', act) : nothing}
  ${
    dump
      ? html`${popoverButton('share', 'button menu-button', html`Share`)}
        ${popover('share', html`<ul class="menu" aria-label="Share">${shareItems(state, act)}</ul>`)}`
      : nothing
  }
  ${more(rest(state, dump, act))}
`;

const more = (items: unknown): TemplateResult => html`
  ${popoverButton('more', 'button plain', html`<span aria-hidden="true">···</span><span class="visually-hidden">More</span>`)}
  ${popover('more', html`<ul class="menu" aria-label="More">${items}</ul>`)}
`;

// A phone has room for the dump's name and one button.
const oneMenu = (state: State, dump: OpenDump | null, act: Actions): TemplateResult =>
  more(html`
    ${dump && state.view === 'one' ? item('Find', () => openFind(act)) : nothing}
    ${dump ? html`<li>${filePicker('Add files', null, 'button', act)}</li>${shareItems(state, act)}` : nothing}
    ${rest(state, dump, act)}
  `);

// What few need.
const rest = (state: State, dump: OpenDump | null, act: Actions): TemplateResult => html`
  ${item(`Theme: ${state.settings.theme}`, act.theme)} ${item('All keys', openHelp)}
  ${dump && state.view === 'one' ? item(`Close ${visibleRow(baseName(dump.name))}`, () => act.close([state.dumps.indexOf(dump)])) : nothing}
  ${state.dumps.length > 1 ? item(`Close all ${thin(state.dumps.length)} dumps`, () => act.close()) : nothing}
`;

const allDumps = (state: State, act: Actions): TemplateResult | typeof nothing =>
  state.dumps.length < 2
    ? nothing
    : html`<button class="button plain all-dumps" aria-keyshortcuts="t" aria-current=${state.view === 'all' ? 'page' : nothing} @click=${() => act.select.all()}>
        All dumps <span class="quiet">${thin(state.dumps.length)}</span>
      </button>`;

const dumpMenu = (state: Pick<State, 'dumps'>, dump: OpenDump, act: Actions): TemplateResult => {
  const name = html`<span class="cut">${visibleRow(baseName(dump.name))}</span>
    <span class="quiet size">${size(dump.report.dump.size)}</span>`;
  if (state.dumps.length < 2) return html`<span class="dump">${name}</span>`;
  return html`${popoverButton('dumps', 'dump button plain menu-button', name)}
  ${popover(
    'dumps',
    html`<ul class="menu" aria-label="Open dumps">
      ${state.dumps.map(
        (d, i) => html`<li>
          <button class="link tap" aria-current=${d === dump ? 'true' : nothing} @click=${() => act.select.dump(i, 'push')}>
            ${visibleRow(d.name)}
          </button>
          <span class="quiet">${visibleRow(d.report.verdict.what)}</span>
        </li>`,
      )}
    </ul>`,
  )}`;
};

const nav = (state: Pick<State, 'page'>, dump: OpenDump): TemplateResult => html`
  <nav class="sections" aria-label="Sections">
    ${sectionList(dump.report).map(
      s => html`<a
        href="#${s.id}"
        aria-current=${state.page.section === s.id ? 'true' : nothing}
        @click=${(e: Event) => scrollToSection(e, s.id)}
        >${s.title}${s.count === null ? nothing : html` <span class="quiet">${thin(s.count)}</span>`}</a
      >`,
    )}
  </nav>
`;

const findButton = (act: Actions): TemplateResult =>
  html`<button class="button plain" aria-keyshortcuts="/" @click=${() => openFind(act)}>Find <kbd aria-hidden="true">/</kbd></button>`;

// Only what is shown can be shared: a table has no stack, and a comparison no report of one dump.
const shareItems = (state: State, act: Actions): TemplateResult => html`
  ${state.view === 'one' ? dumpItems(act) : state.view === 'all' ? tableItems(state, act) : nothing}
  ${item('Copy a link to this place', act.copyLink)}
`;

const dumpItems = (act: Actions): TemplateResult => html`
  ${item('Make a report, a smaller dump or a capsule', act.share.open)}
  ${item('Copy this stack as text', act.copyStack)}
  ${item('Copy the report as text', () => act.copyReport('text'))}
  ${item('Copy the report as Markdown', () => act.copyReport('markdown'))}
  ${item('Copy the report as machine text', () => act.copyReport('machine'))}
  ${item('Download the report as JSON', act.downloadReport)}
`;
