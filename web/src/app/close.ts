// Closing dumps, and opening the closed ones again.
import {baseName, counted} from '../text/text.ts';
import {firstPlace} from './select.ts';
import type {OpenDump, State} from './state.ts';

/** The state without the dumps at these places. Choices that are stored by place are cleared. */
export function closed(before: State, ordinals: readonly number[]): Partial<State> {
  const gone = before.dumps.flatMap((dump, at) => (ordinals.includes(at) ? [{dump, at}] : []));
  const dumps = before.dumps.filter((_, at) => !ordinals.includes(at));
  const [first] = gone;
  if (!first) return {};
  const name = gone.length === 1 ? baseName(first.dump.name) : counted(gone.length, 'dump');
  return {
    ...arranged(before, dumps),
    closed: {dumps: gone, place: before.place},
    toast: `${name} closed`,
    news: null,
  };
}

/** The state with the last closed dumps, at their old places. */
export function reopened(before: State): Partial<State> {
  const {closed} = before;
  if (!closed) return {};
  const dumps = [...before.dumps];
  for (const {dump, at} of closed.dumps) dumps.splice(Math.min(at, dumps.length), 0, dump);
  const shown = closed.place && closed.dumps.some(({at}) => at === closed.place?.dump);
  return {...arranged(before, dumps), ...(shown ? {place: closed.place} : {}), closed: null, toast: null};
}

// The shown dump stays shown at its new place; if it was closed, its neighbour is shown.
function arranged(before: State, dumps: readonly OpenDump[]): Partial<State> {
  const {place} = before;
  const shown = place === null ? undefined : before.dumps[place.dump];
  const at = shown ? dumps.indexOf(shown) : -1;
  const next = Math.min(place?.dump ?? 0, dumps.length - 1);
  return {
    dumps,
    place: place && at >= 0 ? {...place, dump: at} : firstPlace(dumps, next),
    view: before.view === 'all' && dumps.length > 1 ? 'all' : 'one',
    chosen: [],
    pair: [0, 1],
    share: null,
  };
}
