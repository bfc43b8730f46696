// The variables of the selected frame, requested from the engine when they are shown.

import {ALL_FRAMES, type Engine, type FrameVariables, NO_VARIABLE, type VariablesRequest} from '../engine/types.ts';
import {blocks, largestFrame} from '../stack/scale.ts';
import {toggled, withEntry} from '../text/maps.ts';
import {messageOf} from '../text/text.ts';
import type {GlobalValues} from '../variables/state.ts';
import {firstElements, hasVariables, isGlobal} from '../variables/variables.ts';
import {type Loadable, settle} from './loadable.ts';
import {type Selected, selected, shownTab} from './selected.ts';
import {mainThread, type State} from './state.ts';
import {type Store, say} from './store.ts';

export const valuesKey = ({dump, index, frame}: Selected): string => frameValuesKey(dump.id, index, frame.frame);

/** The same for a physical frame by its number. */
export const frameValuesKey = (dump: number, thread: number, frame: number): string => `${dump}.${thread}.${frame}`;

export const argumentsKey = (dump: number, thread: number): string => `${dump}.${thread}`;

/** The query for the variables of a frame, or for more elements of one of them. */
const variablesOf = ({dump, index, frame}: Selected, one = NO_VARIABLE): VariablesRequest => ({
  op: 'variables',
  dump: dump.id,
  thread: index,
  frame: frame.frame,
  ...one,
});

/** The key of a module's global variables; null if the frame is in no module. */
export const globalsKey = ({dump, frame}: Selected): string | null =>
  frame.module_index === null ? null : `${dump.id}.${frame.module_index}`;

export function createVariables(store: Store, engine: Promise<Engine>) {
  const key = (row: string): string | null => {
    const found = selected(store.state);
    return found && `${valuesKey(found)}/${row}`;
  };
  return {
    /** Opens or closes a row. */
    toggle: (row: string) => {
      const at = key(row);
      if (at !== null) store.change('variables', ({open}) => ({open: toggled(open, at)}));
    },
    /** Shows so many elements of a row, and reads those that were not. */
    more: (row: string, count: number, unread: boolean) => {
      const at = key(row);
      if (at === null) return;
      const show = (): void => store.change('lists', ({shown}) => ({shown: withEntry(shown, at, count)}));
      const read = isGlobal(row) ? moreGlobals : readMore;
      if (unread) void read(store, engine, row, count).then(show, () => say(store, 'The elements could not be read'));
      else show();
    },
    /** Looks for global variables of the frame's module by name. */
    find: (name: string) => {
      const found = selected(store.state);
      if (found) void requestGlobals(store, engine, found, name.trim(), 0);
    },
    /** The row that has the focus. */
    focus: (row: string) => {
      const at = key(row);
      if (at !== store.state.variables.row) store.change('variables', {row: at});
    },
    /** Shows the evidence for the value of a row. */
    why: (row: string, show: () => void) => {
      store.change('variables', {row: key(row), why: key(row)});
      void store.drawn().then(show);
    },
  };
}

async function readMore(store: Store, engine: Promise<Engine>, row: string, elements: number): Promise<void> {
  const found = selected(store.state);
  if (!found) return;
  const [scope = 0, number = 0] = row.split('.').map(Number);
  const one = {scope, number, elements: Math.max(elements, firstElements)};
  const [answer] = await (await engine).result(variablesOf(found, one));
  const longer = answer?.scopes[scope]?.variables[0];
  const key = valuesKey(found);
  store.change('variables', ({values}) => {
    const old = values.get(key);
    if (!longer || old?.answer.state !== 'done' || old.revision !== found.dump.revision) return {};
    const scopes = old.answer.value.scopes.map((s, i) =>
      i === scope ? {variables: s.variables.map((v, n) => (n === number ? longer : v))} : s,
    );
    return {values: withEntry(values, key, {...old, answer: {state: 'done', value: {...old.answer.value, scopes}}})};
  });
}

async function moreGlobals(store: Store, engine: Promise<Engine>, _row: string, elements: number): Promise<void> {
  const found = selected(store.state);
  const key = found && globalsKey(found);
  const name = key === null ? undefined : store.state.variables.globals.get(key)?.name;
  if (found && name !== undefined) await requestGlobals(store, engine, found, name, elements);
}

/** Looks for global variables. Earlier results are shown until the answer arrives. */
async function requestGlobals(
  store: Store,
  engine: Promise<Engine>,
  found: Selected,
  name: string,
  elements: number,
): Promise<void> {
  const key = globalsKey(found);
  const module = found.frame.module_index;
  if (key === null || module === null) return;
  const {id, revision} = found.dump;
  const old = store.state.variables.globals.get(key);
  const put = (answer: GlobalValues['answer']): void =>
    store.change('variables', ({globals}) => ({globals: withEntry(globals, key, {revision, name, answer})}));
  if (name === '') {
    const others = [...store.state.variables.globals].filter(([k]) => k !== key);
    return store.change('variables', {globals: new Map(others)});
  }
  put(old?.name === name ? old.answer : {state: 'waiting'});
  try {
    const value = await (await engine).result({op: 'globals', dump: id, module, name, elements});
    if (store.state.variables.globals.get(key)?.name === name) put({state: 'done', value});
  } catch (error) {
    put({state: 'failed', why: messageOf(error)});
  }
}

/** Requests the shown variables, unless they were requested before. */
export function requestVariables(store: Store, engine: Promise<Engine>, found: Selected): void {
  if (panelShows(store.state, found)) requestValues(store, engine, found);
  const key = globalsKey(found);
  const old = key === null ? undefined : store.state.variables.globals.get(key);
  if (old && old.revision < found.dump.revision) void requestGlobals(store, engine, found, old.name, 0);
}

const panelShows = (state: State, {dump, frame}: Selected): boolean =>
  hasVariables(dump.report, frame) && shownTab(state, dump.report, frame) === 'variables';

function requestValues(store: Store, engine: Promise<Engine>, found: Selected): void {
  const {dump} = found;
  const key = valuesKey(found);
  const old = store.state.variables.values.get(key);
  if (old?.revision === dump.revision) return;
  const put = (answer: Loadable<FrameVariables>): void =>
    store.change('variables', ({values}) => {
      if ((values.get(key)?.revision ?? -1) > dump.revision) return {};
      return {values: withEntry(values, key, {revision: dump.revision, answer})};
    });
  put(old?.answer ?? {state: 'waiting'});
  settle(
    engine
      .then(e => e.result(variablesOf(found)))
      .then(([value]) => value ?? Promise.reject(new Error('This frame is not on the stack.'))),
    put,
  );
}

/** Requests the variables of the largest frame of the stack, of which the strip beside it names one. */
export function requestLargest(store: Store, engine: Promise<Engine>, found: Selected): void {
  const {dump, index, thread} = found;
  if (index !== mainThread(dump.report) || store.state.layout.width !== 'wide') return;
  const at = largestFrame(blocks(thread))?.frames.first;
  const frame = thread.frames?.find(f => f.frame === at);
  if (frame && hasVariables(dump.report, frame)) requestValues(store, engine, {...found, frame});
}

/** Requests the arguments beside the rows of the stack, while they are shown. */
export function requestArguments(store: Store, engine: Promise<Engine>, found: Selected): void {
  const {dump, index, thread} = found;
  if (!store.state.stack.arguments || store.state.layout.width === 'narrow') return;
  const key = argumentsKey(dump.id, index);
  const old = store.state.stack.rowArguments.get(key);
  if (old?.revision === dump.revision || !thread.frames?.some(f => hasVariables(dump.report, f))) return;
  const put = (frames: ReadonlyMap<number, FrameVariables>): void =>
    store.change('stack', ({rowArguments}) => ({
      rowArguments: withEntry(rowArguments, key, {revision: dump.revision, frames}),
    }));
  put(old?.frames ?? new Map());
  engine
    .then(e => e.result({...variablesOf(found), frame: ALL_FRAMES}))
    .then(
      answers => put(new Map(answers.map(answer => [answer.frame, answer]))),
      () => {}, // the rows stay as they are: the panel shows the error
    );
}
