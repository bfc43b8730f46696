// Actions on the symbols of one module: writing them as a .sym file, and forcing mismatched ones, whose names are marked on every frame.
import {type Engine, type FileInfo, WITHOUT_DUMP} from '../engine/types.ts';
import {withEntry} from '../text/maps.ts';
import {baseName, messageOf} from '../text/text.ts';
import {download} from './clipboard.ts';
import {load} from './loadable.ts';
import {merge} from './merge.ts';
import {currentDump, type OpenDump} from './state.ts';
import {addProblems, type Store, say} from './store.ts';

export const symsKey = (dump: OpenDump, module: number): string => `${dump.id}.${dump.revision}.${module}`;

/** Requests the file, and offers it. An error appears beside the button. */
export function downloadSyms(store: Store, engine: Promise<Engine>, module: number): void {
  const dump = currentDump(store.state);
  const name = dump?.report.modules?.[module]?.debug_file;
  if (dump && name !== undefined) write(store, engine, symsKey(dump, module), dump.id, module, name);
}

export const symbolFileKey = ({module}: FileInfo): string => `file.${module}`;

/** The same for a symbol file without a dump. */
export function downloadSymbolFile(store: Store, engine: Promise<Engine>, file: FileInfo): void {
  write(store, engine, symbolFileKey(file), WITHOUT_DUMP, file.module, file.debug_file || file.name);
}

function write(store: Store, engine: Promise<Engine>, key: string, dump: number, module: number, name: string): void {
  if (store.state.symbols.syms.get(key)?.state === 'waiting') return;
  load(
    engine
      .then(e => e.made({op: 'syms', dump, module}))
      .then(({data}) => {
        download(`${symName(name)}.sym`, 'text/plain', data);
        return null;
      }),
    written => store.change('symbols', ({syms}) => ({syms: withEntry(syms, key, written)})),
  );
}

// "app.pdb" has its symbols in "app.sym", "libc.so.6" in "libc.so.6.sym", as symbol stores have it.
const symName = (debugFile: string): string =>
  baseName(debugFile)
    .replace(/\.pdb$/i, '')
    .replace(/[^\w.-]+/g, '_') || 'module';

/** Requests reports with such names, or without them again. They are shown at once, since the user requested them. */
export async function useAnyway(store: Store, engine: Promise<Engine>, module: number, use: boolean): Promise<void> {
  const dump = currentDump(store.state);
  if (!dump) return;
  try {
    const result = await (await engine).force(dump.id, module, use);
    store.update(state => merge(state, result, false, true));
    say(store, use ? 'Names of mismatched symbols are shown' : 'Names of mismatched symbols are removed');
  } catch (error) {
    addProblems(store, [{name: dump.name, kind: 'symbols', message: messageOf(error)}]);
  }
}
