// The drawing of waits with an unknown owner: the threads, the lock, and a dashed box in place of the owner.
import {grouped} from '../text/maps.ts';
import {inMiddle} from '../text/names.ts';
import {lockName, unknownHolder, type Waiter} from './hang.ts';
import {
  type Arrow,
  arrow,
  box,
  type Drawing,
  gap,
  lockLetters,
  path,
  pill,
  type Shape,
  shapeHeight,
  wordsOf,
} from './hang-drawing.ts';

const rowHeight = shapeHeight + 16;

// The table has the others.
const mostRows = 4;

/** A row for each lock; null if every owner is known. */
export function unknownDrawing(waiters: readonly Waiter[]): Drawing | null {
  const rows = [...grouped(waiters, lockOf).values()].slice(0, mostRows).flatMap(rowOf);
  if (rows.length === 0) return null;
  return {
    width: 2 * box + pill + 2 * gap,
    height: rows.length * rowHeight - 16,
    shapes: rows.flatMap(({shapes}) => shapes),
    arrows: rows.flatMap(({arrows}) => arrows),
    edges: rows.flatMap((_, i) => [
      [3 * i, 3 * i + 1],
      [3 * i + 1, 3 * i + 2],
    ]) as (readonly [number, number])[],
  };
}

const lockOf = ({index, wait: {kind, object, holder}}: Waiter): string =>
  object === null ? String(index) : `${kind} ${object} ${holder}`;

interface Row {
  readonly shapes: readonly Shape[];
  readonly arrows: readonly Arrow[];
}

function rowOf(waiters: readonly Waiter[], i: number): Row[] {
  const [first] = waiters;
  if (!first) return [];
  const [lockAt, ownerAt, y] = [box + gap, box + pill + 2 * gap, i * rowHeight];
  const owner = {title: '? not known', detail: unknownHolder(first.wait) ?? '', thread: null};
  const lock = {title: inMiddle(lockName(first.wait), lockLetters), detail: 'owner not known', thread: null};
  const middle = y + shapeHeight / 2;
  const level = (from: number, to: number, words: string): Arrow =>
    arrow('unknown', path(from, middle, to, middle), words);
  return [
    {
      shapes: [
        {kind: 'behind', x: 0, y, width: box, ...wordsOf(waiters, first)},
        {kind: 'free-lock', x: lockAt, y, width: pill, ...lock},
        {kind: 'unknown', x: ownerAt, y, width: box, ...owner},
      ],
      arrows: [
        level(box, lockAt, waiters.length > 1 ? 'wait for' : 'waits for'),
        level(lockAt + pill, ownerAt, 'held by'),
      ],
    },
  ];
}
