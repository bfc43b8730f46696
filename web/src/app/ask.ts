// What the inspector needs and the report does not hold: evidence of frames, words of memory, code. Asked once for each.

import type {Code, Engine} from '../engine/types.ts';
import {codeAddress, linesAfter, linesBefore} from '../frame/code.ts';
import {extent} from '../frame/words.ts';
import type {Thread} from '../report.ts';
import type {Asked} from './asked.ts';
import {type Selected, selected} from './selected.ts';
import {frameKey, threadKey} from './state.ts';
import type {Store} from './store.ts';
import {askArguments, askVariables} from './variables.ts';

/** Asks for what the selected frame's panels need, if nobody has yet. */
export function askFor(store: Store, engine: Promise<Engine>): void {
  const found = selected(store.state);
  if (!found) return;
  // One thing is answered at a time: what the panel begins with comes first, what the rows of the stack have beside it last.
  askVariables(store, engine, found);
  askEvidence(store, engine, found);
  askMemory(store, engine, found);
  askCode(store, engine, found);
  askArguments(store, engine, found);
}

function askEvidence(store: Store, engine: Promise<Engine>, {dump, index}: Selected): void {
  const key = threadKey(dump, index);
  if (store.state.explained.has(key)) return;
  const put = (asked: Asked<Thread>): void =>
    store.update(state => ({explained: new Map([...state.explained, [key, asked]])}));
  put({state: 'waiting'});
  engine.then(e => e.explain(dump.id, index)).then(value => put({state: 'done', value}), failed(put));
}

function askMemory(store: Store, engine: Promise<Engine>, found: Selected): void {
  const {dump, thread, frame} = found;
  const key = frameKey(found);
  const at = extent(dump.report, thread, frame);
  if (!at || store.state.memory.has(key)) return;
  const put = (asked: Asked<Uint8Array | null>): void =>
    store.update(state => ({memory: new Map([...state.memory, [key, asked]])}));
  put({state: 'waiting'});
  const address = `0x${at.from.toString(16)}`;
  engine.then(e => e.memory(dump.id, address, at.size)).then(value => put({state: 'done', value}), failed(put));
}

function askCode(store: Store, engine: Promise<Engine>, found: Selected): void {
  const key = frameKey(found);
  if (store.state.code.has(key)) return;
  const put = (asked: Asked<Code>): void => store.update(state => ({code: new Map([...state.code, [key, asked]])}));
  put({state: 'waiting'});
  const address = codeAddress(found.frame);
  engine
    .then(e => e.disassemble(found.dump.id, address, linesBefore, linesAfter))
    .then(value => put({state: 'done', value}), failed(put));
}

const failed =
  (put: (asked: {readonly state: 'failed'; readonly why: string}) => void) =>
  (error: unknown): void =>
    put({state: 'failed', why: error instanceof Error ? error.message : String(error)});
