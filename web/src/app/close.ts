// Closing dumps, opening the closed ones again, and forgetting those that cannot be opened again.
import {baseName, counted} from '../text/text.ts';
import {firstPlace} from './select.ts';
import type {OpenDump, State} from './state.ts';

/** The state without the dumps at these places. Choices that are stored by place are cleared. */
export function closed(before: State, ordinals: readonly number[]): Partial<State> {
  const closing = before.dumps.flatMap((dump, at) => (ordinals.includes(at) ? [{dump, at}] : []));
  const dumps = before.dumps.filter((_, at) => !ordinals.includes(at));
  const [first] = closing;
  if (!first) return {};
  const name = closing.length === 1 ? baseName(first.dump.name) : counted(closing.length, 'dump');
  return {
    ...arranged(before, dumps),
    closed: {dumps: closing, place: before.place},
    messages: {...before.messages, toast: `${name} closed`, outcome: null},
  };
}

/** The state with the last closed dumps, at their old places. */
export function reopened(before: State): Partial<State> {
  const {closed} = before;
  if (!closed) return {};
  const dumps = [...before.dumps];
  for (const {dump, at} of closed.dumps) dumps.splice(Math.min(at, dumps.length), 0, dump);
  const shown = closed.place && closed.dumps.some(({at}) => at === closed.place?.dump);
  return {
    ...arranged(before, dumps),
    ...(shown ? {place: closed.place} : {}),
    closed: null,
    messages: {...before.messages, toast: null},
  };
}

/** The numbers of the dumps that were open, or could be opened again, and now are neither. */
export function forgotten(before: Openable, now: Openable): readonly number[] {
  if (before.dumps === now.dumps && before.closed === now.closed) return [];
  const rest = new Set(numbers(now));
  return numbers(before).filter(id => !rest.has(id));
}

type Openable = Pick<State, 'dumps' | 'closed'>;

const numbers = ({dumps, closed}: Openable): readonly number[] =>
  [...dumps, ...(closed?.dumps.map(({dump}) => dump) ?? [])].map(({id}) => id);

/** The state without the answers about these dumps. */
export function cleared(
  {stack, frame, variables, memory, streams, symbols}: State,
  dumps: readonly number[],
): Partial<State> {
  const closing = new Set(dumps.map(String));
  // Keys of answers begin with the number of their dump.
  const rest = <T>(all: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    new Map([...all].filter(([key]) => !closing.has(key.slice(0, key.indexOf('.')))));
  const {explained, memory: words, pointers, code} = frame;
  return {
    stack: {...stack, rowArguments: rest(stack.rowArguments)},
    frame: {
      ...frame,
      explained: rest(explained),
      memory: rest(words),
      pointers: rest(pointers),
      code: rest(code),
    },
    variables: {...variables, values: rest(variables.values), globals: rest(variables.globals)},
    memory: {
      ...memory,
      pages: rest(memory.pages),
      captured: new Map([...memory.captured].filter(([id]) => !dumps.includes(id))),
    },
    streams: {...streams, pages: rest(streams.pages)},
    symbols: {...symbols, syms: rest(symbols.syms)},
  };
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
    triage: {...before.triage, chosen: [], pair: [0, 1]},
    share: null,
  };
}
