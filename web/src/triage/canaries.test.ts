// Which fields of a report exports of triage contain. A report has a canary in every text.
import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import type {Report} from '../report.ts';
import {baselineJSON} from './baseline.ts';
import {triageCSV, triageJSON, triageMarkdown} from './table.ts';
import {type Bucket, buckets, type Crash, crashOf} from './triage.ts';

/** What is exported, by the field of the report, and why. */
const survivors: Readonly<Record<string, string>> = {
  signature: 'what crashes are grouped by',
  'verdict.what': 'what happened',
  'system_info.os': 'the system',
  'system_info.cpu_arch': 'the system',
  'dump.process': 'the name of the program, without its folder',
  'modules[].version': 'the version that crashes',
  'threads[].frames[].function': 'the first own frames',
  'threads[].frames[].module': 'the module of a frame without a function',
  'threads[].frames[].inlines[].function': 'the first own frames, inlined calls',
  'threads[].frames[].file': 'the line of the first own frame, without its folder',
  'threads[].frames[].inlines[].file': 'the line of the first own frame, without its folder',
};

// Codes and numbers stay as they are: the page decides by them.
const isText = (text: string): boolean => !/^(0x)?[0-9a-f]*$/i.test(text);

/** The report with a canary in each text, and the fields by their canaries. */
function planted(report: Report): [Report, Map<string, string>] {
  const fields = new Map<string, string>();
  const plant = (value: unknown, field: string): unknown => {
    if (typeof value === 'string' && isText(value)) {
      const canary = `Kanarie${String(fields.size).padStart(5, '0')}`;
      fields.set(canary, field);
      return `/home/jane/${canary}`;
    }
    if (Array.isArray(value)) return value.map(each => plant(each, `${field}[]`));
    if (typeof value !== 'object' || value === null) return value;
    const inside = ([key, each]: [string, unknown]) => [key, plant(each, field === '' ? key : `${field}.${key}`)];
    return Object.fromEntries(Object.entries(value).map(inside as (entry: [string, unknown]) => [string, unknown]));
  };
  return [plant(report, '') as Report, fields];
}

test('exports of triage contain what crashes are grouped by, and nothing else of a report', () => {
  const path = new URL('../../../core/analyze/testdata/', import.meta.url);
  const whole = JSON.parse(readFileSync(new URL('windows.json', path), 'utf8')) as Report;
  const [report, fields] = planted(whole);
  const crash: Crash = crashOf(0, '1.dmp', report, report.crash_info.crashing_thread ?? 0);
  const rows: readonly Bucket[] = buckets([crash], 'signature', 'count');
  for (const text of [triageCSV(rows), triageMarkdown(rows), triageJSON(rows), baselineJSON([crash])]) {
    const alive = [...fields].filter(([canary]) => text.includes(canary)).map(([, field]) => field);
    expect([...new Set(alive)].filter(field => !(field in survivors))).toEqual([]);
    expect(alive.length).toBeGreaterThan(2);
  }
});
