// Finding anything in a report: functions, modules, threads, an address, text in memory, and commands, by one line of text.
// Substrings only: patterns that the user types must not be able to stall the page.
import {meant} from '../memory/bytes.ts';
import {keys} from '../page/keys.ts';
import type {Frame, Report} from '../report.ts';
import {type FrameRow, frameRows} from '../stack/frames.ts';
import {functionName, mark} from '../stack/names.ts';
import {firstRow} from '../stack/stack.ts';
import {brief, format} from '../text/hex.ts';
import {memo} from '../text/maps.ts';
import {tilde} from '../text/names.ts';
import {counted} from '../text/text.ts';
import {hasGlobals} from '../variables/variables.ts';

/** Where a result leads. */
export type Target =
  | {readonly kind: 'function'; readonly thread: number; readonly row: FrameRow}
  | {readonly kind: 'thread'; readonly thread: number; readonly row: FrameRow}
  | {readonly kind: 'module'; readonly name: string}
  | {readonly kind: 'address'; readonly address: bigint}
  | {readonly kind: 'memory'; readonly text: string}
  | {readonly kind: 'global'; readonly name: string}
  | {readonly kind: 'command'; readonly key: string};

export interface Found {
  readonly label: string;
  readonly detail: string;
  readonly target: Target;
}

// The number of results of each kind; typing more finds others.
const most = 12;

/** The results for a text, those of each kind that begin with it first. */
export function findings(report: Report, frame: Frame | null, query: string): readonly Found[] {
  const text = query.trim();
  if (text === '') return commands('').slice(0, most);
  const wanted = text.toLowerCase();
  // A number means an address first; a function's name means the function, and then its address.
  const places = address(report, frame, text);
  const isNumber = /^(0x)?[0-9a-f`]+$/i.test(text);
  return [
    ...(isNumber ? places : []),
    ...best(functionsOf(report), wanted),
    ...best(threads(report), wanted),
    ...best(modules(report), wanted),
    ...(isNumber ? [] : places),
    ...commands(wanted),
    ...(frame && hasGlobals(report, frame) ? [global(text, frame)] : []),
    {label: text, detail: 'search the captured memory', target: {kind: 'memory', text}},
  ];
}

// A module has many, so they are looked for only on request.
const global = (name: string, {module}: Frame): Found => ({
  label: name,
  detail: `look for a global variable of ${module}: name, ns::name or na*`,
  target: {kind: 'global', name},
});

function best(all: readonly Found[], wanted: string): readonly Found[] {
  const found = all.filter(({label}) => label.toLowerCase().includes(wanted));
  const begins = found.filter(({label}) => label.toLowerCase().replace(tilde, '').startsWith(wanted));
  return [...new Set([...begins, ...found])].slice(0, most);
}

function address(report: Report, frame: Frame | null, text: string): readonly Found[] {
  const at = meant(text, report, frame);
  if (at === null) return [];
  const label = brief(format(at, report.system_info.pointer_width));
  return [{label, detail: 'show these bytes of memory', target: {kind: 'address', address: at}}];
}

// A function leads to its innermost frame; the number of its frames stands beside it.
const functionsOf = memo((report: Report): readonly Found[] => {
  const by = new Map<string, {readonly thread: number; readonly row: FrameRow; count: number}>();
  (report.threads ?? []).forEach((thread, index) => {
    for (const row of frameRows(thread, false)) {
      const name = functionName(row);
      if (name === null) continue;
      const label = mark(row) + name;
      const known = by.get(label);
      if (known) known.count++;
      else by.set(label, {thread: index, row, count: 1});
    }
  });
  return [...by].map(([label, {thread, row, count}]) => ({
    label,
    detail: `${counted(count, 'frame')}, first in thread ${report.threads?.[thread]?.thread_id}`,
    target: {kind: 'function', thread, row},
  }));
});

function threads(report: Report): readonly Found[] {
  return (report.threads ?? []).flatMap((thread, index) => {
    const row = firstRow(thread, null);
    const label = thread.thread_name ? `${thread.thread_name} ${thread.thread_id}` : `Thread ${thread.thread_id}`;
    return row
      ? [{label, detail: thread.crashed ? 'crashed thread' : 'thread', target: {kind: 'thread', thread: index, row}}]
      : [];
  });
}

const modules = (report: Report): readonly Found[] =>
  (report.modules ?? []).map(({filename}) => ({
    label: filename,
    detail: 'module',
    target: {kind: 'module', name: filename},
  }));

// What Enter and Escape do depends on where the focus is. The table of dumps is not shown while the search is open.
const commands = (wanted: string): readonly Found[] =>
  keys
    .filter(({action}) => action !== 'mark')
    .filter(({keys: [key = ''], does}) => key.length === 1 && key !== '/' && does.toLowerCase().includes(wanted))
    .map(({keys: [key = ''], does}) => ({label: does, detail: `key ${key}`, target: {kind: 'command', key}}));

/** The search over a whole report, while it is open. */
export interface Find {
  readonly query: string;
  /** The result that Enter opens. */
  readonly at: number;
}
