import {expect, test} from 'vitest';
import {frame, thread} from '../../test/make.ts';
import {type Branch, parallel} from './parallel.ts';
import {barRoom, cellHeight, icicle, joinsGuess, tree} from './tree.ts';

const stack = (...outermostFirst: string[]) => thread(outermostFirst.toReversed().map((name, i) => frame(i, name)));

const drawn = (branches: readonly Branch[], state: string | null = null) => icicle(branches, false, 1200, () => state);

test('the width of a box is its threads, what it calls stands below it, and each thread has its place', () => {
  const {boxes, slots, height} = drawn(parallel([stack('main', 'a'), stack('main', 'b', 'c'), stack('start')]));
  expect(boxes.map(b => b.lines.map(line => line.text).join(' '))).toEqual(['main', 'a', 'b c', 'start']);
  expect(boxes.map(({x, y, width}) => [x, y - barRoom, width])).toEqual([
    [0, 0, 800],
    [0, cellHeight, 400],
    [400, cellHeight, 400],
    [800, 0, 400],
  ]);
  expect(slots).toEqual([
    {thread: 0, x: 0, width: 400},
    {thread: 1, x: 400, width: 400},
    {thread: 2, x: 800, width: 400},
  ]);
  expect(height).toBe(barRoom + 3 * cellHeight);
});

test('the branch of a crash is wide enough to read, and the others share the rest', () => {
  const many = Array.from({length: 99}, () => stack('main', 'wait'));
  const {boxes, slots} = drawn(parallel([...many, {...stack('main', 'boom'), crashed: true}]));
  expect(boxes.map(box => [box.lines[0]?.text, Math.round(box.width)])).toEqual([
    ['main', 1200],
    ['boom', 150],
    ['wait', 1050],
  ]);
  expect(slots).toHaveLength(100);
  expect(parallel([stack('main'), stack('a')], new Set([1]))[0]).toMatchObject({crashed: true, threads: [1]});
});

test('a thread that ends where another goes on stands beside it; the last cell says what threads do', () => {
  const {boxes, slots} = drawn(parallel([stack('a'), stack('a', 'b')]), 'Polls');
  expect(boxes.map(box => box.lines.map(({text, kind}) => `${kind} ${text}`))).toEqual([
    ['call a'],
    ['call b', 'state Polls'],
  ]);
  expect(slots.map(({thread, x}) => [thread, x])).toEqual([
    [1, 0],
    [0, 600],
  ]);
});

test('a narrow box has no label', () => {
  const many = Array.from({length: 100}, (_, i) => stack('main', `f${i}`));
  expect(drawn(parallel(many)).boxes[1]?.lines).toEqual([{kind: 'call', text: ''}]);
});

test('long boxes show their innermost calls, long names are cut, and there are not too many', () => {
  const names = Array.from({length: 20}, (_, i) => `f${i}`);
  const [box] = tree(parallel([stack(...names)]), false, 336).boxes;
  expect(box).toMatchObject({more: 13, lines: names.slice(13).map(text => ({text, kind: 'call'}))});
  expect(box?.leaf?.frame.frame).toBe(0);
  expect(tree(parallel([stack('x'.repeat(4096))]), false, 336).boxes[0]?.lines[0]?.text).toHaveLength(44);
  const many = parallel(Array.from({length: 2000}, (_, i) => stack(`f${i}`)));
  expect([tree(many, false, 336).boxes.length, drawn(many).boxes.length]).toEqual([400, 400]);
  expect(tree([], false, 336)).toEqual({boxes: [], width: 336, height: 12, indented: true, slots: []});
});

test('runs of system calls are one line until they are asked for', () => {
  const calls = ['clone3', 'start_thread', 'run'].toReversed();
  const t = thread(calls.map((name, i) => frame(i, {function: name, is_system: name !== 'run'})));
  const lines = (system: boolean): unknown => tree(parallel([t]), system, 336).boxes[0]?.lines;
  expect(lines(false)).toEqual([
    {text: '2 system frames: clone3, start_thread', kind: 'system'},
    {text: 'run', kind: 'call'},
  ]);
  expect(lines(true)).toHaveLength(3);
});

test('a guessed caller joins what is certain by a dashed line, and two guesses by a solid one', () => {
  const guesses = (name: string) =>
    thread([frame(0, name), frame(1, {function: 'call', guess: true}), frame(2, {function: 'start', guess: true})]);
  const {boxes} = tree(parallel([guesses('a'), guesses('b')]), false, 336);
  expect(boxes.map(box => [box.lines[0]?.text, joinsGuess(box)])).toEqual([
    ['~ start', false],
    ['a', true],
    ['b', true],
  ]);
});

test('the branch of the crash comes first, and guesses last, apart from what is certain', () => {
  const guess = thread([frame(0, 'x'), frame(1, {function: 'main', trust: 'scan'})]);
  const crash = thread([frame(0, 'boom')], {crashed: true});
  const {boxes} = drawn(parallel([guess, guess, stack('main'), crash]));
  expect(boxes.map(box => [box.lines[0]?.text, box.guess])).toEqual([
    ['boom', false],
    ['main', false],
    ['~ main', true],
    ['x', false],
  ]);
});

test('on a phone what is called stands below its caller, indented, and within the room', () => {
  const deep = Array.from({length: 12}, (_, i) => [...Array.from({length: i}, (_, k) => `f${k}`), `end${i}`]);
  const {boxes, width} = tree(parallel(deep.map(names => stack(...names))), false, 336);
  expect(width).toBe(336);
  for (const [i, box] of boxes.entries()) {
    expect(box.x + box.width).toBe(334);
    expect(box.y).toBeGreaterThan((boxes[i - 1]?.y ?? 0) + (boxes[i - 1]?.height ?? 0));
    expect(box.x).toBeGreaterThanOrEqual(box.from?.x ?? 0);
  }
  expect(Math.min(...boxes.map(box => box.width))).toBe(334 - 2 - 6 * 14);
});

test.each([0, 60, 119])('in a room of %i px every box has a width, and shows letters of its name', room => {
  const deep = stack(...Array.from({length: 8}, (_, i) => `function${i}`));
  const forks = [1, 2, 3, 4, 5, 6, 7].map(n => stack(...Array.from({length: n}, (_, i) => `function${i}`), `end${n}`));
  const {boxes} = tree(parallel([deep, ...forks]), false, room);
  expect(Math.min(...boxes.map(box => box.width))).toBeGreaterThan(50);
  expect(boxes.flatMap(box => box.lines.map(line => line.text)).filter(text => text.length < 4)).toEqual([]);
});
