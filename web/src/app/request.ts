// Data that the inspector needs and the report lacks: evidence of frames, words of memory, code. Each is requested once.
import type {Engine} from '../engine/types.ts';
import {codeAddress, linesAfter, linesBefore} from '../frame/code.ts';
import {extent, pointersOf} from '../frame/words.ts';
import {awaitsSymbols} from '../report.ts';
import {hex} from '../text/hex.ts';
import {withEntry} from '../text/maps.ts';
import {load, settle} from './loadable.ts';
import {type Selected, selected, subject} from './selected.ts';
import {frameKey, threadKey} from './state.ts';
import type {Store} from './store.ts';
import {requestArguments, requestLargest, requestVariables} from './variables.ts';

/** Requests what the selected frame's panels need, unless it was requested before. */
export function requestFrame(store: Store, engine: Promise<Engine>): void {
  const found = selected(store.state);
  if (!found) return;
  const first = subject(found.dump);
  if (first) requestCode(store, engine, first);
  // Requests are answered one after another: the top of the panel comes first, the arguments in the rows of the stack last.
  requestVariables(store, engine, found);
  requestEvidence(store, engine, found);
  requestMemory(store, engine, found);
  requestPointers(store, engine, found);
  requestCode(store, engine, found);
  requestArguments(store, engine, found);
  requestLargest(store, engine, found);
}

function requestEvidence(store: Store, engine: Promise<Engine>, {dump, index}: Selected): void {
  const key = threadKey(dump, index);
  if (store.state.frame.explained.has(key)) return;
  load(
    engine.then(e => e.result({op: 'explain', dump: dump.id, thread: index})),
    thread => store.change('frame', ({explained}) => ({explained: withEntry(explained, key, thread)})),
  );
}

function requestMemory(store: Store, engine: Promise<Engine>, found: Selected): void {
  const {dump, thread, frame} = found;
  const key = frameKey(found);
  const at = extent(dump.report, thread, frame);
  if (!at || store.state.frame.memory.has(key)) return;
  load(
    engine.then(e => e.bytes({op: 'memory', dump: dump.id, address: hex(at.from), size: at.size})),
    bytes => store.change('frame', ({memory}) => ({memory: withEntry(memory, key, bytes)})),
  );
}

// The words are shown as soon as they arrive, and their names after the symbols were searched.
function requestPointers(store: Store, engine: Promise<Engine>, found: Selected): void {
  const {dump} = found;
  const key = frameKey(found);
  const read = store.state.frame.memory.get(key);
  // While symbols are being read, a report does not yet have all of their names.
  if (read?.state !== 'done' || !read.value || awaitsSymbols(dump.report) || store.state.frame.pointers.has(key))
    return;
  const addresses = pointersOf(dump.report, read.value);
  load(
    engine.then(e => e.result({op: 'pointers', dump: dump.id, addresses})),
    names => store.change('frame', ({pointers}) => ({pointers: withEntry(pointers, key, names)})),
  );
}

function requestCode(store: Store, engine: Promise<Engine>, found: Selected): void {
  const key = frameKey(found);
  if (store.state.frame.code.has(key)) return;
  load(
    engine.then(e =>
      e.result({
        op: 'disassemble',
        dump: found.dump.id,
        address: codeAddress(found.frame),
        before: linesBefore,
        after: linesAfter,
      }),
    ),
    lines => store.change('frame', ({code}) => ({code: withEntry(code, key, lines)})),
  );
}

/** Requests the kinds of the symbol files that wait for a dump. */
export function requestSymbolFiles(store: Store, engine: Promise<Engine>): void {
  const {dumps, symbols} = store.state;
  if (dumps.length > 0 || symbols.files.length === 0 || symbols.described !== null) return;
  store.change('symbols', {described: {state: 'waiting'}});
  settle(
    engine.then(e => e.result({op: 'symbolFiles'})),
    described => {
      // If files were added meanwhile, the request is repeated.
      if (store.state.symbols.files === symbols.files) store.change('symbols', {described});
    },
  );
}
