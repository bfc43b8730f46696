// Arrow keys in the boxes of parallel stacks.
import type {TreeBox} from './tree.ts';

/** The box that an arrow leads to: along the calls and back, and among the calls of one caller; null for other keys. */
export function neighbour(boxes: readonly TreeBox[], at: number, key: string, indented = false): number | null {
  const box = boxes[at];
  if (!box) return null;
  const [back, on, before, after] = indented
    ? ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
    : ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];
  if (key === back) return box.from ? boxes.indexOf(box.from) : at;
  const child = boxes.findIndex(other => other.from === box);
  if (key === on) return child < 0 ? at : child;
  const beside = boxes.flatMap((other, i) => (indented || other.from === box.from ? [i] : []));
  if (key === after) return beside[beside.indexOf(at) + 1] ?? at;
  return key === before ? (beside[beside.indexOf(at) - 1] ?? at) : null;
}
