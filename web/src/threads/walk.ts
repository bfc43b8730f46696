// Arrow keys in the boxes of parallel stacks and in the shapes of a hang, and their zoom.
import type {TreeBox} from './tree.ts';

const steps = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2];

/** The next larger or smaller zoom. */
export function zoomed(zoom: number, by: 1 | -1): number {
  const at = steps.findLastIndex(step => step <= zoom);
  return steps[Math.min(steps.length - 1, Math.max(0, at + by))] ?? 1;
}

/** The box that an arrow leads to: callers and calls to the sides, boxes of one column up and down; null for other keys. */
export function neighbour(boxes: readonly TreeBox[], at: number, key: string, indented = false): number | null {
  const box = boxes[at];
  if (!box) return null;
  if (key === 'ArrowLeft') return box.from ? boxes.indexOf(box.from) : at;
  const child = boxes.findIndex(other => other.from === box);
  if (key === 'ArrowRight') return child < 0 ? at : child;
  const column = boxes.flatMap((other, i) => (indented || other.x === box.x ? [i] : []));
  if (key === 'ArrowDown') return column[column.indexOf(at) + 1] ?? at;
  return key === 'ArrowUp' ? (column[column.indexOf(at) - 1] ?? at) : null;
}

/** The shape that an arrow leads to: along an edge and back, or the next one up and down; null for other keys. */
export function followed(
  edges: readonly (readonly [number, number])[],
  count: number,
  at: number,
  key: string,
): number | null {
  if (key === 'ArrowRight') return edges.find(([from]) => from === at)?.[1] ?? at;
  if (key === 'ArrowLeft') return edges.find(([, to]) => to === at)?.[0] ?? at;
  if (key === 'ArrowDown') return Math.min(count - 1, at + 1);
  return key === 'ArrowUp' ? Math.max(0, at - 1) : null;
}
