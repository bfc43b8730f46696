// The text of a report that has no memory: a line that states a frame leads to it.
import './report-text.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import {textKey} from '../app/streams.ts';
import type {Report} from '../report.ts';
import {memo} from '../text/maps.ts';
import {counted} from '../text/text.ts';
import {more, region, rowsShown} from '../widgets/region.view.ts';
import {isText, type TextLine, textLines} from './report-text.ts';

const linesOf = memo((bytes: Uint8Array, report: Report) => textLines(new TextDecoder().decode(bytes), report));

export const reportText = (state: Pick<State, 'streams' | 'lists'>, dump: OpenDump, act: Actions): unknown => {
  const key = textKey(dump.id);
  const loaded = state.streams.pages.get(key);
  if (!isText(dump.report) || loaded?.state !== 'done') return nothing;
  const lines = linesOf(loaded.value, dump.report);
  return region(
    'text',
    'Text',
    counted(lines.length, 'line'),
    html`<ol class="report-text">${rowsShown(state, key, lines).map(one => line(one, act))}</ol>
      ${more(state, key, lines.length, act)}`,
  );
};

// The list keeps the spaces of a line, so none of the template's own stand in it.
const line = ({text, at}: TextLine, act: Actions): TemplateResult =>
  html`<li>${at === null ? text : html`<button class="link" title="Frame ${at.row.number}" @click=${() => act.select.row(at.thread, at.row, 'push')}>${text}</button>`}</li>`;
