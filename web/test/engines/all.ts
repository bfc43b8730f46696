// The three engines, and tests of each.
import {describe} from 'vitest';
import {chromium} from './chromium.ts';
import type {EngineUnderTest} from './engine.ts';
import {firefox} from './firefox.ts';
import {webkit} from './webkit.ts';

export const engines: readonly EngineUnderTest[] = [chromium, firefox, webkit];

/** Tests in each engine, or in some of them, or the reason why not. */
export function inEachEngine(
  tests: (engine: EngineUnderTest) => void,
  names: readonly EngineUnderTest['name'][] = ['Chromium', 'Firefox', 'WebKit'],
): void {
  for (const engine of engines.filter(({name}) => names.includes(name))) {
    const missing = engine.missing();
    describe.skipIf(missing !== null)(missing === null ? engine.name : `${engine.name} (${missing})`, () =>
      tests(engine),
    );
  }
}
