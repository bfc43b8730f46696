// Mismatched symbols that the user forces: their names are probably wrong, and marked on every
// frame.
import type {Engine} from '../engine/types.ts';
import {messageOf} from '../text/text.ts';
import {merge} from './merge.ts';
import {currentDump} from './state.ts';
import {addProblems, type Store, say} from './store.ts';

/**
 * Requests reports with such names, or without them again. They are shown at once, since the user
 * asked for them.
 */
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
