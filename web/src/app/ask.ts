// Data that the inspector needs and the report lacks: evidence of frames, words of memory, code.
// Each is requested once.

import type {Code, Engine, Given, Pointer} from '../engine/types.ts';
import {codeAddress, linesAfter, linesBefore} from '../frame/code.ts';
import {extent, pointersOf} from '../frame/words.ts';
import {awaitsSymbols, type Thread} from '../report.ts';
import type {Asked} from './asked.ts';
import {type Selected, selected} from './selected.ts';
import {frameKey, threadKey} from './state.ts';
import type {Store} from './store.ts';
import {askArguments, askVariables} from './variables.ts';

/** Requests what the selected frame's panels need, unless it was requested before. */
export function askFor(store: Store, engine: Promise<Engine>): void {
  const found = selected(store.state);
  if (!found) return;
  // Requests are answered one after another: the top of the panel comes first, the arguments in the
  // rows of the stack last.
  askVariables(store, engine, found);
  askEvidence(store, engine, found);
  askMemory(store, engine, found);
  askPointers(store, engine, found);
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

/** Requests the kinds of the symbol files that wait for a dump. */
export function askGiven(store: Store, engine: Promise<Engine>): void {
  const {dumps, symbolFiles, given} = store.state;
  if (dumps.length > 0 || symbolFiles.length === 0 || given !== null) return;
  const put = (given: Asked<readonly Given[]>): void => store.update({given});
  put({state: 'waiting'});
  // If more files came meanwhile, the request is repeated.
  const ifSame = (asked: Asked<readonly Given[]>): void => {
    if (store.state.symbolFiles === symbolFiles) put(asked);
  };
  engine.then(e => e.given()).then(value => ifSame({state: 'done', value}), failed(ifSame));
}

// The words are shown as soon as they arrive, and their names after the symbols have answered.
function askPointers(store: Store, engine: Promise<Engine>, found: Selected): void {
  const {dump} = found;
  const key = frameKey(found);
  const read = store.state.memory.get(key);
  // While symbols are being read, a report does not yet have all of their names.
  if (read?.state !== 'done' || !read.value || awaitsSymbols(dump.report) || store.state.pointers.has(key)) return;
  const put = (asked: Asked<readonly Pointer[]>): void =>
    store.update(state => ({pointers: new Map([...state.pointers, [key, asked]])}));
  const addresses = pointersOf(dump.report, read.value);
  put({state: 'waiting'});
  engine.then(e => e.pointers(dump.id, addresses)).then(value => put({state: 'done', value}), failed(put));
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
