// Symbols of another build that a person insists on: names that are likely wrong, and marked on every frame.
import type {Engine} from '../engine/types.ts';
import {merge} from './merge.ts';
import {currentDump} from './state.ts';
import type {Store} from './store.ts';

/** Asks for reports with such names, or without them again. Who asked wants to see them, where they are. */
export async function useAnyway(store: Store, engine: Promise<Engine>, module: number, use: boolean): Promise<void> {
  const dump = currentDump(store.state);
  if (!dump) return;
  try {
    const result = await (await engine).force(dump.id, module, use);
    store.update(state => ({
      ...merge(state, result, false, true),
      toast: use ? 'Names of another build are shown' : 'Names of another build are gone',
    }));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    store.update(state => ({problems: [...state.problems, {name: dump.name, kind: 'symbols', message}]}));
  }
}
