// The goroutines of a program of Go, or the threads of Python or JavaScript with their calls, below the threads.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import type {Task} from '../report.ts';
import {memo} from '../text/maps.ts';
import {counted, visibleRow} from '../text/text.ts';
import {more, rowsShown} from '../widgets/region.view.ts';
import {type TaskGroup, taskGroups, told} from './tasks.ts';

const groupsOf = memo(taskGroups);

export const tasks = (state: Pick<State, 'lists'>, dump: OpenDump, act: Actions): TemplateResult | typeof nothing => {
  const groups = groupsOf(dump.report);
  if (groups.length === 0) return nothing;
  const key = `${dump.id}.tasks`;
  const kind = groups[0]?.first.kind;
  return html`
    <section class="threads-region" id="tasks" tabindex="-1" aria-labelledby="tasks-title">
      <div class="region-head">
        <h2 id="tasks-title">${kind === 'goroutine' ? 'Goroutines' : `Threads of ${kind === 'python_thread' ? 'Python' : 'JavaScript'}`}</h2>
        <span class="quiet">${counted(dump.report.tasks?.length ?? 0, kind === 'goroutine' ? kind : 'thread')}, ${counted(groups.length, 'different stack')}</span>
      </div>
      <ul class="groups tasks">
        ${rowsShown(state, key, groups).map(row)}
      </ul>
      ${more(state, key, groups.length, act)}
    </section>
  `;
};

const row = ({first, tasks: all, ids, lines}: TaskGroup): TemplateResult => html`
  <li>
    <details>
      <summary>${all.length} × ${visibleRow(first.state)}${creator(first)}${told(first)} <span class="quiet">${ids}</span></summary>
      <ol>
        ${lines.map(line => html`<li><code>${line}</code></li>`)}
      </ol>
    </details>
  </li>
`;

const creator = ({created_by: name}: Task): unknown =>
  name ? html` <span class="quieter">created by</span> <code>${visibleRow(name)}</code>` : nothing;
