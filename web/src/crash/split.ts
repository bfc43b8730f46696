// How the stack and the inspector share the width: a share that is kept, and the least that each side needs.

/** The least width of each side, in pixels. */
export const least = 360;

/** The share that is wanted, as far as both sides have room for it. */
export function within(share: number, width: number): number {
  const edge = width > 0 ? Math.min(0.5, least / width) : 0.5;
  return Math.min(1 - edge, Math.max(edge, share));
}

/** The share that was kept; half and half where none was. */
export function asShare(text: string | null): number {
  const share = text === null ? Number.NaN : Number(text);
  return share > 0 && share < 1 ? share : 0.5;
}

const step = 16;

/** The share after a key on the splitter; null for a key that it does not take. */
export function afterKey(key: string, share: number, width: number): number | null {
  if (width <= 0) return null;
  if (key === 'ArrowLeft') return within(share - step / width, width);
  if (key === 'ArrowRight') return within(share + step / width, width);
  if (key === 'Home') return within(0, width);
  return key === 'End' ? within(1, width) : null;
}
