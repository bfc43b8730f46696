// Finds the program that the debugger starts.
import {accessSync, constants, statSync} from 'node:fs';
import {delimiter, isAbsolute, join} from 'node:path';

/**
 * The absolute path of a program, from its path or its name; null if there is none. Only absolute folders of PATH are searched: Windows would
 * also look into the current folder, which is the workspace, where a checkout could bring a program of that name along.
 */
export function findProgram(name: string, environment: NodeJS.ProcessEnv = process.env): string | null {
  if (isAbsolute(name)) return isProgram(name) ? name : null;
  if (/[\\/]/.test(name)) return null;
  const endings = process.platform === 'win32' ? ['', '.exe'] : [''];
  for (const folder of (environment['PATH'] ?? environment['Path'] ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const found = endings.map(ending => join(folder, name + ending)).find(isProgram);
    if (found) return found;
  }
  return null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
