import {expect, test} from 'vitest';
import {frame, report} from '../../test/make.ts';
import type {Task} from '../report.ts';
import {type TaskGroup, taskSections, told} from './tasks.ts';

const task = (id: number, state: string, name: string): Task => ({
  kind: 'goroutine',
  id,
  state,
  thread: null,
  frames: [frame(0, {function: name, file: '/src/a.go', line: 7, inlined: true}), frame(1, {function: 'main.main'})],
  end: {complete: true, kind: 'undefined', reason: ''},
  waits: null,
  created_by: 'main.main',
});

const taskGroups = (r: ReturnType<typeof report>): readonly TaskGroup[] => taskSections(r).flatMap(s => s.groups);

test('goroutines with one state and stack are one group, the largest first', () => {
  const all = [task(1, 'running', 'main.f'), task(7, 'chan receive', 'main.f'), task(9, 'chan receive', 'main.f')];
  const groups = taskGroups(report({tasks: all}));
  expect(groups.map(g => [g.first.state, g.ids])).toEqual([
    ['chan receive', '7, 9'],
    ['running', '1'],
  ]);
  expect(groups[0]?.lines[0]).toBe('main.f  a.go:7 (inlined)');
});

test('of a large group the first numbers are listed', () => {
  const all = Array.from({length: 20}, (_, i) => task(i, 'select', 'main.f'));
  expect(taskGroups(report({tasks: all}))[0]?.ids).toMatch(/14, 15, 4 more$/);
});

test('a report without goroutines has no groups', () => {
  expect(taskGroups(report({}))).toEqual([]);
});

test('a task tells its exception, its labels and what it has deferred, and these tell groups apart', () => {
  const one = {
    ...task(1, 'select', 'main.f'),
    labels: [
      {name: 'a', value: '1'},
      {name: 'b', value: '2'},
    ],
    deferred: ['main.g', 'main.h'],
  };
  const raised = {...task(2, 'select', 'main.f'), exception: {type: 'KeyError', message: 'k', handled: true}};
  expect([one, raised, task(3, 'select', 'main.f')].map(told)).toEqual([
    ', labels a=1 b=2, deferred main.g, main.h',
    ', handling KeyError: k',
    '',
  ]);
  expect(taskGroups(report({tasks: [one, raised]}))).toHaveLength(2);
});

test('each runtime has a section of its own, in the order of the report', () => {
  const python = (id: number): Task => ({...task(id, 'holds the GIL', 'main.f'), kind: 'python_thread'});
  const sections = taskSections(report({tasks: [task(1, 'holds the GIL', 'main.f'), python(1), python(2)]}));
  expect(sections.map(s => [s.id, s.title, s.noun, s.count, s.groups.map(g => g.ids)])).toEqual([
    ['tasks', 'Goroutines', 'goroutine', 1, ['1']],
    ['tasks-python_thread', 'Threads of Python', 'thread', 2, ['1, 2']],
  ]);
});
