// The damage of a dump, shown beside the crash, because it explains missing parts of the report.
import type {Badge, Report, Stream} from '../report.ts';
import {size} from '../text/format.ts';
import {counted} from '../text/text.ts';

const named = 6;

/** The extent of the damage, as a badge; null if there is none. */
export function damageBadge(report: Report): Badge | null {
  const streams = report.streams ?? [];
  const lost = streams.filter(stream => stream.error !== null);
  const memory = memoryLost(report);
  if (lost.length === 0) {
    return memory.length === 0
      ? null
      : {kind: 'doubt', finding: 'damage', text: '✕ Memory truncated', evidence: memory, confidence: null};
  }
  const rest = lost.length - named;
  const evidence = [
    ...cutShort(report, streams),
    ...lost.slice(0, named).map(({name, error}) => `${name || 'unknown'}: ${error}`),
    ...(rest > 0 ? [`and ${rest} more, see Streams`] : []),
  ];
  return {
    kind: 'doubt',
    finding: 'damage',
    text: `✕ ${counted(lost.length, 'stream')} unreadable`,
    evidence,
    confidence: null,
  };
}

// Windows writes memory last: in an interrupted copy, all streams may be complete.
const memoryLost = ({notes}: Report): string[] =>
  (notes ?? [])
    .filter(note => note.where === 'memory' && note.kind === 'truncated')
    .map(note => `${note.text}${note.count > 1 ? `, and ${note.count - 1} more like it` : ''}`);

function cutShort({dump}: Report, streams: readonly Stream[]): string[] {
  const end = streams.reduce((most, stream) => Math.max(most, stream.offset + stream.size), 0);
  if (end <= dump.size) return [];
  return [
    `The file has ${size(dump.size)}, its streams reach to ${size(end)}: it was not written or copied completely.`,
  ];
}

/** The stream types from which a section of the page is made. */
export const streamType = {modules: 4} as const;

/** Why a stream cannot be read; null if it can, or if it is missing. */
export const lost = ({streams}: Report, type: number): string | null =>
  streams?.find(stream => stream.type === type && stream.error !== null)?.error ?? null;
