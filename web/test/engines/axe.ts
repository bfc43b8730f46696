// axe-core in any engine. A page's policy allows no script of others, so axe goes in as text of the function that the driver calls.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import type {AxeResults} from 'axe-core';
import type {Tab} from './engine.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds in the page as it stands. */
export async function violations(tab: Tab): Promise<string[]> {
  const run = (): Promise<Pick<AxeResults, 'violations'>> => Promise.reject(new Error('only its text is called'));
  const text = `async () => { ${source}; const {violations} = await axe.run(document, {resultTypes: ['violations'], preload: false});
    return {violations: violations.map(({id, nodes}) => ({id, nodes: nodes.map(({target, failureSummary}) => ({target, failureSummary}))}))}; }`;
  const found = await tab.run(Object.assign(run, {toString: () => text}));
  return found.violations.flatMap(({id, nodes}) =>
    nodes.map(({target, failureSummary}) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
