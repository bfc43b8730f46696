// How the stack and the inspector share the width: a stored share, and the least width of each side.

/** The least width of each side, in pixels. */
export const least = 360;

/** The wanted share, limited by the least width of both sides. */
export function within(share: number, width: number): number {
  const edge = width > 0 ? Math.min(0.5, least / width) : 0.5;
  return Math.min(1 - edge, Math.max(edge, share));
}

/** The stored share; one half if there is none. */
export function asShare(text: string | null): number {
  const share = text === null ? Number.NaN : Number(text);
  return share > 0 && share < 1 ? share : 0.5;
}

const step = 16;

/** The share after a key on the splitter; null for other keys. */
export function afterKey(key: string, share: number, width: number): number | null {
  if (width <= 0) return null;
  if (key === 'ArrowLeft') return within(share - step / width, width);
  if (key === 'ArrowRight') return within(share + step / width, width);
  if (key === 'Home') return within(0, width);
  return key === 'End' ? within(1, width) : null;
}
