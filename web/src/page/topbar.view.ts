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
import {part} from '../widgets/part.view.ts';
import {popover, popoverButton} from '../widgets/popover.view.ts';
import {scrollToSection} from '../widgets/region.view.ts';
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
  ${dump || state.reading.work ? filePicker('Add files', 'o', 'button', act) : nothing} ${dump ? copyMenu(state, act) : nothing} ${dump && state.view === 'one' ? shareButton(act) : nothing}
  <button class="button plain" @click=${act.theme} aria-label="Theme: ${state.settings.theme}">
    Theme${state.settings.theme === 'system' ? nothing : html`<span class="quiet">${state.settings.theme}</span>`}
  </button>
  <button class="button plain" @click=${openHelp} aria-label="All keys" aria-keyshortcuts="?"><kbd>?</kbd></button>
`;

// A phone has room for the dump's name and one button.
const oneMenu = (state: State, dump: OpenDump | null, act: Actions): TemplateResult => html`
  ${popoverButton('copy', 'button plain', html`Menu`)}
  ${popover(
    'copy',
    html`<ul class="menu" aria-label="Menu">
      ${dump && state.view === 'one' ? html`<li><button class="link tap" @click=${() => openFind(act)}>Find</button></li>` : nothing}
      ${dump ? html`<li>${filePicker('Add files', null, 'button', act)}</li>${state.view === 'one' ? html`<li><button class="link tap" @click=${act.share.open}>Share this crash</button></li>` : nothing}${copyItems(state, act)}` : nothing}
      <li><button class="link tap" @click=${act.theme}>Theme: ${state.settings.theme}</button></li>
      <li><button class="link tap" @click=${openHelp}>All keys</button></li>
    </ul>`,
  )}
`;

const allDumps = (state: State, act: Actions): TemplateResult | typeof nothing =>
  state.dumps.length < 2
    ? nothing
    : html`<button class="button plain all-dumps" aria-keyshortcuts="d" aria-current=${state.view === 'all' ? 'page' : nothing} @click=${() => act.select.all()}>
        All dumps <span class="quiet">${thin(state.dumps.length)}</span>
      </button>`;

const dumpMenu = (state: Pick<State, 'dumps'>, dump: OpenDump, act: Actions): TemplateResult => {
  const name = html`<span class="cut">${visibleRow(baseName(dump.name))}</span>
    <span class="quiet size">${size(dump.report.dump.size)}</span>`;
  const close = html`<button class="button plain close-dump" aria-label="Close ${visibleRow(baseName(dump.name))}" title="Close" @click=${() => act.close([state.dumps.indexOf(dump)])}><span aria-hidden="true">✕</span></button>`;
  if (state.dumps.length < 2) return html`<span class="dump">${name}</span>${close}`;
  return html`${popoverButton('dumps', 'dump button plain', name)}
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
      <li><button class="link tap" @click=${() => act.close()}>Close all ${thin(state.dumps.length)} dumps</button></li>
    </ul>`,
  )}${close}`;
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

const copyMenu = (state: State, act: Actions): TemplateResult => html`
  ${popoverButton('copy', 'button', html`Copy <kbd aria-hidden="true">c</kbd>`)}
  ${popover('copy', html`<ul class="menu" aria-label="Copy">${copyItems(state, act)}</ul>`)}
`;

const shareButton = (act: Actions): TemplateResult =>
  html`<button class="button" aria-keyshortcuts="s" @click=${act.share.open}>Share <kbd aria-hidden="true">s</kbd></button>`;

// Only shown content can be copied: a table has no stack, and a comparison no report of one dump.
const copyItems = (state: State, act: Actions): TemplateResult =>
  state.view === 'one'
    ? dumpItems(act)
    : html`${state.view === 'all' ? tableItems(state, act) : nothing}${linkItem(act)}`;

const linkItem = (act: Actions): TemplateResult =>
  html`<li><button class="link tap" @click=${act.copyLink}>Copy a link to this place</button></li>`;

const dumpItems = (act: Actions): TemplateResult => html`
  <li><button class="link tap" @click=${act.copyStack}>Copy this stack as text</button></li>
  <li><button class="link tap" @click=${() => act.copyReport('text')}>Copy the report as text</button></li>
  <li><button class="link tap" @click=${() => act.copyReport('markdown')}>Copy the report as Markdown</button></li>
  <li><button class="link tap" @click=${() => act.copyReport('machine')}>Copy the report as machine text</button></li>
  ${linkItem(act)}
  <li><button class="link tap" @click=${act.downloadReport}>Download the report as JSON</button></li>
`;
