import {expect, test} from 'vitest';
import {frame, inline, thread, variable, withVariables} from '../../test/make.ts';
import type {Variable} from '../report.ts';
import {frameRows} from '../stack/frames.ts';
import {
  addressOf,
  argumentsText,
  blockText,
  blockTip,
  evidenceText,
  globalsNote,
  groups,
  hasVariables,
  lackOf,
  noneAfter,
  noneBefore,
  ofRow,
  type VariableRow,
  valueText,
  whereText,
} from './variables.ts';

const argument = {kind: 'argument'} as const;
const local = {kind: 'local'} as const;
const ints = (n: number): Variable[] => Array.from({length: n}, (_, i) => variable(`[${i}]`, 'int', String(i)));

// A tree as lines: "1 this" is a row of level 1, "2 +3" a row that stands for three more.
const drawn = (
  list: readonly Variable[],
  opened: readonly string[] = [],
  shown: Record<string, number> = {},
): string[] =>
  groups(
    list,
    0,
    key => opened.includes(key),
    key => shown[key] ?? 16,
  ).flatMap(({title, rows}) => [
    title,
    ...rows.map(row =>
      row.kind === 'more'
        ? `${row.level} +${row.left} next ${row.next}${row.unread ? ' unread' : ''}`
        : `${row.level} ${row.variable.name}${row.opens ? (row.open ? ' v' : ' >') : ''}`,
    ),
  ]);

test('arguments come first, and only what is open has rows', () => {
  const list = [
    variable('n', 'int', '0', argument),
    variable('rate', 'double', null, {...local, state: 'optimized_out'}),
    variable('batch', 'Batch &', [variable('id', 'int', '7'), variable('list', 'int [2]', ints(2))], argument),
  ];
  expect(drawn(list)).toEqual(['Arguments', '1 n', '1 batch >', 'Locals', '1 rate']);
  expect(drawn(list, ['0.2', '0.2.1'])).toEqual([
    'Arguments',
    '1 n',
    '1 batch v',
    '2 id',
    '2 list v',
    '3 [0]',
    '3 [1]',
    'Locals',
    '1 rate',
  ]);
});

test('sixteen elements are shown, then four times as many, which are read when they are wanted', () => {
  const list = [variable('list', 'int [1000]', ints(16), {...local, more: 984})];
  expect(drawn(list, ['0.0']).slice(-2)).toEqual(['2 [15]', '2 +984 next 64 unread']);
  const read = [variable('list', 'int [1000]', ints(64), {...local, more: 936})];
  expect(drawn(read, ['0.0']).slice(-2)).toEqual(['2 [15]', '2 +984 next 64']);
  expect(drawn(read, ['0.0'], {'0.0': 64}).slice(-2)).toEqual(['2 [63]', '2 +936 next 256 unread']);
  const most = [variable('list', 'int [10000]', ints(4096), {...local, more: 5904})];
  expect(drawn(most, ['0.0'], {'0.0': 4096}).at(-1)).toBe('2 +5904 next 0');
  expect(drawn([variable('all', 'int [20]', ints(20), local)], ['0.0']).at(-1)).toBe('2 +4 next 64');
});

test('how a library stores a value is one row below what it means', () => {
  const raw = variable('_M_impl', 'Impl', '0x1', {raw: true});
  const list = [variable('v', 'std::vector<int>', [...ints(1), raw], local)];
  expect(drawn(list, ['0.0', '0.0.1'])).toEqual(['Locals', '1 v v', '2 [0]', '2 implementation v', '3 _M_impl']);
});

test.each([
  [variable('n', 'int', '4'), '4'],
  [variable('p', 'Point', [variable('x', 'int', '3'), variable('y', 'int', '-4')]), '{3, -4}'],
  [variable('v', 'int [5]', ints(5), {more: 100}), '{0, 1, 2, …}'],
  [variable('e', 'Empty', null), '{}'],
  [variable('e', 'Empty', null, {content: 'empty'}), 'empty'],
  [variable('v', 'std::vector<int>', 'size=0', {content: 'empty'}), 'size=0 (empty)'],
  [variable('o', 'std::optional<int>', null, {content: 'no_value'}), 'no value'],
  [variable('b', 'unsigned char', '7', {content: 'byte'}), '7'],
  [variable('p', 'Pair', [variable('o', 'std::optional<int>', null, {content: 'no_value'})]), '{no value}'],
  [variable('o', 'int', null, {state: 'optimized_out'}), null],
  [variable('s', 'char *', '0x10', {state: 'not_captured'}), '0x10'],
])('%o reads %s', (of, want) => expect(valueText(of)).toBe(want));

test('what is missing has a sign and words of its own', () => {
  const states = ['known', 'optimized_out', 'not_captured', 'unreadable', 'inconsistent', '__proto__'];
  expect(states.map(state => lackOf(variable('x', 'int', null, {state}))?.words)).toEqual([
    undefined,
    'optimized out',
    'not captured',
    'unreadable',
    'inconsistent',
    undefined,
  ]);
});

const row = (of: Variable, root = of): VariableRow => ({
  kind: 'variable',
  key: '0.0',
  level: root === of ? 1 : 2,
  variable: of,
  root,
  opens: false,
  open: false,
  offset: null,
  at: 1,
  of: 1,
});

test('a pointer leads to what it points to, anything else to where it is', () => {
  const at = {location: '0x00007fff00000010'};
  expect(addressOf(row(variable('p', 'Node *', '0x0000555500001000', at)))).toBe('0x0000555500001000');
  expect(addressOf(row(variable('p', 'Node *', '0x0000000000000000', at)))).toBe('0x00007fff00000010');
  expect(addressOf(row(variable('n', 'unsigned', '0x10', at)))).toBe('0x00007fff00000010');
  expect(addressOf(row(variable('x', 'int', '1'), variable('s', 'Point', null, at)))).toBe('0x00007fff00000010');
  expect(addressOf(row(variable('n', 'int', '1', {location: 'rbx'})))).toBeNull();
});

test('the place is short, and a dash where there is none', () => {
  expect(whereText(row(variable('n', 'int', '1', {location: '0x00007fff00000010'})))).toBe('0x7fff00000010');
  expect(whereText(row(variable('n', 'int', '1', {location: 'rbx'})))).toBe('rbx');
  expect(whereText(row(variable('n', 'int', null, {state: 'optimized_out', location: null})))).toBe('–');
});

test('evidence is copied as lines', () => {
  const evidence = {
    rule: 'DW_OP_fbreg -40',
    from: '.debug_info at 0x1234',
    registers: {rbp: '0x7fff00000040' as const},
    reads: [{address: '0x7fff00000018' as const, value: '0x4' as const}],
  };
  const of = variable('n', 'int', '4', {kind: 'local', location: '0x7fff00000018', evidence});
  expect(evidenceText(row(of), 'as frame 2: found by CFI')).toBe(
    'n = 4\ntype: int\nwhere: 0x7fff00000018\nrule: DW_OP_fbreg -40\nregister: rbp = 0x7fff00000040\n' +
      'read: [0x7fff00000018] = 0x4\nfrom: .debug_info at 0x1234\ntrust: as frame 2: found by CFI\n',
  );
});

test('a row of a stack has the arguments that are known, short', () => {
  const list = [
    variable('n', 'int', '0', argument),
    variable('f', 'Foo *', '0x00007fffffffe0b8', argument),
    variable('gone', 'int', null, {...argument, state: 'optimized_out'}),
    variable('s', 'char const *', `0x0000000000000010 "${'a'.repeat(50)}"`, argument),
    variable('b', 'Batch', [variable('id', 'int', '7')], argument),
    variable('', 'int', '1', argument),
    variable('x', 'int', '1', local),
  ];
  expect(argumentsText(list)).toBe(`(n=0, f=0x7fffffffe0b8, s=0x10 "${'a'.repeat(21)}…, b={…})`);
  expect(argumentsText(list.slice(2, 3))).toBeNull();
});

test('each row of a stack has the variables of its own call', () => {
  const t = thread([frame(0, {function: 'outer', inlines: [inline('inner'), inline('middle')]})]);
  const known = {
    frame: 0,
    known: true,
    scopes: ['outer', 'middle', 'inner'].map(name => ({variables: [variable(name, 'int', '1')]})),
    notes: [],
  };
  expect(frameRows(t, false).map(r => ofRow(known, r)[0]?.name)).toEqual(['inner', 'middle', 'outer']);
});

test('why there are none is said before and after they are asked for', () => {
  const report = withVariables([]);
  const [first] = report.threads?.[0]?.frames ?? [];
  if (!first) throw new Error('no frame');
  expect(noneBefore(report, first)).toBeNull();
  expect(hasVariables(report, first)).toBe(true);
  expect(noneBefore(report, {...first, guess: true})).toContain('this frame is a guess');
  expect(hasVariables(report, {...first, guess: true})).toBe(false);
  expect(noneBefore(report, {...first, symbols_forced: true})).toContain('mismatched symbols');
  expect(noneBefore(report, {...first, module_index: null})).toContain('No module');
  const call = {
    function: 'f',
    file: '/srv/a.js',
    line: 1,
    kind: 'javascript',
    linkage_function: null,
    readable_function: null,
  };
  const script = {...first, module_index: null, inlines: [call]};
  expect([noneBefore(report, script), hasVariables(report, script)]).toEqual([null, true]);
  expect(hasVariables(report, {...script, guess: true})).toBe(false);
  const bare = {...report, modules: [{...report.modules?.[0], symbols: null}]} as typeof report;
  expect(noneBefore(bare, first)).toContain('Add a file with debug information (DWARF or PDB) of this build: `app`');
  const [at] = frameRows(thread([first]), false);
  if (!at) throw new Error('no row');
  expect(noneAfter({frame: 0, known: true, scopes: [], notes: []}, at)).toContain('has no arguments and no variables');
  expect(noneAfter({frame: 0, known: false, scopes: [], notes: []}, at)).toContain('does not describe');
});

test("a variable of a block has the block's line, and one that it hides says so", () => {
  const list = [
    variable('i', 'int', '0', {...local, hidden: true}),
    variable('i', 'int', '1', {...local, block: {depth: 1, line: 12}}),
    variable('j', 'int', '2', {...local, block: {depth: 2}}),
  ];
  const rows = groups(
    list,
    0,
    () => false,
    () => 16,
  )
    .flatMap(group => group.rows)
    .filter((row): row is VariableRow => row.kind === 'variable');
  expect(rows.map(blockText)).toEqual([null, 'line 12', null]);
  expect(rows.map(blockTip)).toEqual([
    'A variable in a deeper block has the same name',
    'In the block at line 12',
    null,
  ]);
});

test('a search among global variables says why it found nothing, and that there may be more', () => {
  const found = (n: number, known = true) => ({known, variables: ints(n), notes: []});
  expect(globalsNote('x', found(3))).toBeNull();
  expect(globalsNote('x', found(64))).toBe('The first 64 are shown.');
  expect(globalsNote('x', found(0))).toBe('No global variable has the name `x`. Use `*` for any text: `*x*`.');
  expect(globalsNote('x', found(0, false))).toBe('The symbols of this module describe no global variables.');
});
