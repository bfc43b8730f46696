// A capsule is viewer.html with a dump and its symbols inside. cmd/crashglass/capsulefile.go writes
// it.
import type {InputFile} from './input.ts';
import {unpacked} from './inside.ts';
import type {About} from './types.ts';

export interface Capsule {
  readonly about: About;
  readonly files: readonly InputFile[];
  readonly sources: readonly InputFile[];
}

/** Whether this page is a capsule. */
export const isCapsule = (): boolean => document.querySelector('script[data-capsule]') !== null;

/** The contents of this page; null if it is no capsule. */
export async function capsule(): Promise<Capsule | null> {
  const about = document.querySelector('script[data-capsule]');
  if (!about) return null;
  const all = await Promise.all([...document.querySelectorAll<HTMLScriptElement>('script[data-role]')].map(read));
  const [sources, files] = [all.filter(({role}) => role === 'source'), all.filter(({role}) => role !== 'source')];
  return {
    about: aboutOf(
      about.textContent ?? '',
      all.map(({input}) => input.path),
    ),
    files: files.map(({input}) => input),
    sources: sources.map(({input}) => input),
  };
}

async function read(element: HTMLScriptElement): Promise<{role: string; input: InputFile}> {
  const {role = '', name = ''} = element.dataset;
  return {role, input: {path: name, file: await unpacked(element.textContent ?? '', '').blob()}};
}

/** Reads the description of a capsule. It is untrusted: any program may have written the file. */
export function aboutOf(json: string, names: readonly string[]): About {
  const said: unknown = parsed(json);
  const {made, by, cleaned} = typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : {};
  const date = typeof made === 'string' ? new Date(made) : null;
  return {
    made: date && !Number.isNaN(date.getTime()) ? date : null,
    by: typeof by === 'string' ? by : '',
    cleaned: typeof cleaned === 'boolean' ? cleaned : null,
    names,
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
