// Contestants that take turns, and what is made of their times.

export interface Run {
  readonly seconds: number;
  /** Until the first frames of the crashing thread stood there, named or not. */
  readonly first?: number;
  /** Bytes, at the highest; NaN where the system does not say. */
  readonly memory: number;
  /** The linear memory of the worker that has most of it. */
  readonly linear?: number;
  /** The longest task of the page's own thread, in ms. */
  readonly longest?: number;
}

export type Contestant = () => Promise<Run>;

export const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Runs each contestant so many times, one after the other. */
export async function inTurn(
  contestants: ReadonlyMap<string, Contestant>,
  rounds: number,
): Promise<Map<string, Run[]>> {
  const results = new Map<string, Run[]>([...contestants.keys()].map(name => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const [name, contestant] of contestants) {
      const run = await contestant();
      results.get(name)?.push(run);
      say(`${round}/${rounds} ${name.padEnd(40)} ${run.seconds.toFixed(3)} s ${mb(run.memory)} MB`);
    }
  }
  return results;
}

/** Each figure's own median. Of memory the least: a short run may end before it is looked at, and nothing takes less. */
export function median(runs: readonly Run[]): Run {
  const middle = (pick: (run: Run) => number | undefined): number | undefined => {
    const values = runs.map(pick).filter(value => value !== undefined && Number.isFinite(value));
    return (values as number[]).sort((a, b) => a - b)[Math.floor(values.length / 2)];
  };
  const [first, linear, longest] = [middle(run => run.first), middle(run => run.linear), middle(run => run.longest)];
  return {
    seconds: middle(run => run.seconds) ?? Number.NaN,
    memory: middle(run => run.memory) ?? Number.NaN,
    ...(first === undefined ? {} : {first}),
    ...(linear === undefined ? {} : {linear}),
    ...(longest === undefined ? {} : {longest}),
  };
}

export const seconds = (value: number | undefined): string =>
  value === undefined || !Number.isFinite(value) ? '' : value.toFixed(3);

export const mb = (bytes: number | undefined): string =>
  bytes === undefined || !Number.isFinite(bytes) ? '' : (bytes / 1e6).toFixed(0);

export const ratio = (a: number, b: number | undefined): string =>
  b === undefined || !Number.isFinite(a / b) ? '' : (a / b).toFixed(2);

/** A table in Markdown, its columns as wide as they have to be. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(3, title.length, ...rows.map(row => (row[i] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
