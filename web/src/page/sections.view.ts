// The sections below the stacks: memory, and the raw dump, which is closed at first.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import type {Turns} from '../app/turns.ts';
import {memory} from '../memory/memory.view.ts';
import {modules} from '../modules/modules.view.ts';
import {annotations, handles, notes, streams} from '../streams/lists.view.ts';
import {reportText} from '../streams/report-text.view.ts';
import {linux, mac} from '../streams/system.view.ts';
import {part} from '../widgets/part.view.ts';
import {rawList} from './sections.ts';

export const sections = (state: State, dump: OpenDump, act: Actions, turns: Turns): TemplateResult => html`
  ${part(['dumps', 'place', 'layout', 'lists', 'memory'], memory, state, dump, act, turns)}
  ${part(['streams', 'lists'], reportText, state, dump, act, turns)}
  ${raw(rawList(dump.report), state, dump, act, turns)}
`;

const raw = (
  list: readonly string[],
  state: State,
  dump: OpenDump,
  act: Actions,
  turns: Turns,
): TemplateResult | typeof nothing =>
  list.length === 0
    ? nothing
    : html`
  <section class="raw" id="raw" tabindex="-1" aria-labelledby="raw-title"><details>
    <summary class="region-head"><h2 id="raw-title">Raw dump</h2> <span class="quiet">${list.join(', ')}</span></summary>
    ${part(['lists', 'symbols'], modules, state, dump, act, turns)}
    ${part(['lists'], annotations, state, dump, act, turns)}
    ${part(['lists'], handles, state, dump, act, turns)}
    ${part(['streams'], linux, state, dump, act, turns)}
    ${part([], mac, state, dump, act, turns)}
    ${part(['layout', 'lists', 'streams'], streams, state, dump, act, turns)}
    ${part(['lists'], notes, state, dump, act, turns)}
  </details></section>
`;
