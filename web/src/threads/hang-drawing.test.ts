import {expect, test} from 'vitest';
import {deadlocked} from '../../test/make.ts';
import {behind, rings, type Waiter} from './hang.ts';
import {drawing, drawn, shapeHeight} from './hang-drawing.ts';

const hung = deadlocked();
const [ring = []] = rings(hung);
const waiting = behind(hung);

/** A picture in words: shapes with where they are, and arrows with what they join. */
const shown = (of: ReturnType<typeof drawing>): string[] => [
  ...of.shapes.map(({kind, title, x, y}) => `${kind} ${title} at ${x},${y}`),
  ...of.arrows.map(({kind, words, points}) => `${kind}: ${words} ${points.map(point => point.join(',')).join(' ')}`),
];

test('two threads and their locks go around, and who joins one of them stands below it', () =>
  expect(shown(drawing(ring, waiting))).toEqual([
    'thread accept 3 at 0,0',
    'thread net-io 7 at 504,0',
    'lock mutex 0x5000 at 262,0',
    'lock mutex 0x6000 at 262,90',
    'behind thread 9 at 0,180',
    'cycle: waits for 190,21 262,21',
    'cycle: held by 432,21 504,21',
    'cycle: waits for 599,42 599,111 432,111',
    'cycle: held by 262,111 95,111 95,42',
    'behind: joins 28.5,180 28.5,42',
  ]));

test('threads that wait for one lock are one box, above a lock between two threads', () => {
  const [first] = ring;
  if (!first) throw new Error('no ring');
  const waiters = [11, 12, 13].map((index): Waiter => ({...first, index, stuck: false}));
  const {shapes, arrows, height} = drawing(ring, waiters);
  expect(shapes.filter(({kind}) => kind === 'behind')).toMatchObject([{title: '3 threads', x: 252, y: 0, thread: 11}]);
  expect(arrows.filter(({kind}) => kind === 'behind')).toMatchObject([
    {
      words: 'wait for',
      points: [
        [347, 42],
        [347, 90],
      ],
    },
  ]);
  expect(height).toBe(90 + 90 + shapeHeight);
});

test('who waits for another that is behind is left to the table', () => {
  const [last] = waiting;
  if (!last) throw new Error('no thread behind the cycle');
  const far: Waiter = {...last, index: 4, wait: {...last.wait, object: '0x9', thread: 2}};
  expect(drawing(ring, [far]).shapes.filter(({kind}) => kind === 'behind')).toEqual([]);
});

test('no two shapes of a long cycle lie on each other', () => {
  const long = Array.from({length: 8}, (_, i) => ({...(ring[i % 2] as Waiter), index: i}));
  const {shapes, width} = drawing(long, waiting);
  const same = shapes.flatMap((a, i) =>
    shapes.slice(i + 1).filter(b => a.y === b.y && a.x < b.x + b.width && b.x < a.x + a.width),
  );
  expect(same).toEqual([]);
  expect(Math.max(...shapes.map(({x, width: own}) => x + own))).toBe(width);
});

test('no two shapes lie on each other where threads wait behind each thread and each lock', () => {
  for (const count of [2, 3, 4, 5, 8]) {
    const long = Array.from({length: count}, (_, i): Waiter => {
      const one = ring[i % 2] as Waiter;
      return {...one, index: i, wait: {...one.wait, object: `0x${i + 1}`}};
    });
    const all = long.flatMap(({wait}, i): Waiter[] => {
      const one = {...(waiting[0] as Waiter), index: 100 + i};
      const joins = {...one, wait: {...one.wait, object: null, thread: i}};
      return [joins, {...one, wait: {...one.wait, object: wait.object}}];
    });
    const {shapes} = drawing(long, all);
    expect(shapes.filter(({kind}) => kind === 'behind')).toHaveLength(2 * count);
    const same = shapes.flatMap((a, i) =>
      shapes.slice(i + 1).filter(b => a.y === b.y && a.x < b.x + b.width && b.x < a.x + a.width),
    );
    expect(same).toEqual([]);
  }
});

test('the name of a lock fits its pill, with its address', () => {
  const [first, second] = ring as [Waiter, Waiter];
  const wait = {...first.wait, kind: 'critical_section', object: '0x000001f2a3b4c5d6'} as const;
  const [, , lock] = drawing([{...first, wait}, second], []).shapes;
  expect(lock?.title).toBe('critica… 0x1f2a3b4c5d6');
});

test('of hundreds of cycles the first are drawn, and none that is long', () => {
  const long = Array.from({length: 9}, () => ring[0] as Waiter);
  expect(drawn([long, ...Array.from({length: 500}, () => ring)])).toEqual(Array.from({length: 8}, () => ring));
});
