// The address space as a picture: boxes from left to right in the order of addresses, as wide as the logarithm of their size.
// All gaps between them have the same width.

import {spName} from '../frame/registers.ts';
import type {Frame, Region, Report} from '../report.ts';
import {parse} from '../text/hex.ts';
import {memo} from '../text/maps.ts';
import {baseName} from '../text/text.ts';

/** The fill of a box: its access rights. */
export type Fill = 'none' | 'read' | 'write' | 'code';

export interface Box {
  readonly x: number;
  readonly width: number;
  readonly base: bigint;
  readonly end: bigint;
  readonly fill: Fill;
  readonly captured: boolean;
  /** How many regions it stands for. */
  readonly regions: number;
  readonly name: string;
}

export interface Pin {
  readonly x: number;
  readonly what: 'fault' | 'pc' | 'sp';
  readonly address: bigint;
}

export interface Picture {
  readonly boxes: readonly Box[];
  /** Where addresses are left out. */
  readonly gaps: readonly number[];
  readonly gapWidth: number;
  readonly pins: readonly Pin[];
  /** Names below the boxes, once for neighbours of one file, if most of the name fits. */
  readonly labels: readonly Label[];
}

export interface Label {
  readonly x: number;
  readonly width: number;
  readonly text: string;
}

/** The picture's own units. */
export const mapWidth = 1200;
const widestGap = 10;
// All gaps together leave so much of the width to the boxes.
const gapShare = 0.3;
// More boxes would be narrower than two pixels.
const mostBoxes = 240;

interface Run {
  readonly base: bigint;
  readonly end: bigint;
  readonly region: Region;
  readonly captured: boolean;
  readonly regions: number;
}

const none: readonly Region[] = [];

const runsOf = memo((regions: readonly Region[]) => merged(regions.filter(r => r.state !== 'free').flatMap(toRun)));

/** The picture of a report's regions, with the addresses of the frame. */
export function picture(report: Report, frame: Frame | null): Picture {
  const runs = runsOf(report.memory_regions ?? none);
  const holes = runs.map((run, i) => i > 0 && run.base > (runs[i - 1]?.end ?? 0n));
  const gaps = holes.filter(hole => hole).length;
  const weights = runs.map(run => weight(run.end - run.base));
  const gapWidth = Math.min(widestGap, (mapWidth * gapShare) / (gaps + 2));
  const total = weights.reduce((sum, w) => sum + w, 0);
  const scale = total === 0 ? 0 : (mapWidth - gapWidth * (gaps + 2)) / total;
  const out: {boxes: Box[]; gaps: number[]} = {boxes: [], gaps: []};
  let x = gapWidth;
  runs.forEach((run, i) => {
    if (holes[i]) {
      out.gaps.push(x + gapWidth / 2);
      x += gapWidth;
    }
    const width = (weights[i] ?? 0) * scale;
    out.boxes.push(box(run, x, width));
    x += width;
  });
  return {...out, gapWidth, pins: pins(report, frame, out.boxes, gapWidth), labels: labels(out.boxes)};
}

// About as wide as a letter is drawn.
const letter = 6.5;

function labels(boxes: readonly Box[]): Label[] {
  const runs: {text: string; x: number; end: number}[] = [];
  for (const {name, x, width} of boxes) {
    const last = runs.at(-1);
    if (last?.text === name) last.end = x + width;
    else runs.push({text: name, x, end: x + width});
  }
  return runs
    .filter(({text, x, end}) => text !== '' && end - x >= letter * text.length)
    .map(({text, x, end}) => ({text, x, width: end - x}));
}

function toRun(region: Region): Run[] {
  const base = parse(region.base);
  const size = parse(region.size);
  if (base === null || size === null || size === 0n) return [];
  return [{base, end: base + size, region, captured: region.captured, regions: 1}];
}

// Neighbours of one file are merged first, then any neighbours.
function merged(all: readonly Run[]): Run[] {
  const runs = all.toSorted((a, b) => (a.base < b.base ? -1 : a.base > b.base ? 1 : 0));
  if (runs.length <= mostBoxes) return runs;
  const byFile = joined(runs, (a, b) => a.region.name !== '' && a.region.name === b.region.name);
  const each = Math.ceil(byFile.length / mostBoxes);
  let n = 0;
  return each < 2 ? byFile : joined(byFile, () => ++n % each !== 0);
}

function joined(runs: readonly Run[], same: (a: Run, b: Run) => boolean): Run[] {
  const out: Run[] = [];
  for (const run of runs) {
    const last = out.at(-1);
    if (last && same(last, run)) {
      const {end} = run.end > last.end ? run : last;
      out[out.length - 1] = {
        ...last,
        end,
        captured: last.captured || run.captured,
        regions: last.regions + run.regions,
      };
    } else out.push(run);
  }
  return out;
}

// A page counts one, each doubling one more.
const weight = (size: bigint): number => Math.max(1, size.toString(2).length - 12);

const box = ({base, end, region, captured, regions}: Run, x: number, width: number): Box => ({
  x,
  width,
  base,
  end,
  fill: fillOf(region.protection),
  captured,
  regions,
  name: region.name === '' ? region.kind : baseName(region.name),
});

function fillOf(protection: string): Fill {
  if (protection.includes('x')) return 'code';
  if (protection.includes('w')) return 'write';
  return protection.includes('r') ? 'read' : 'none';
}

function pins({crash_info: crash}: Report, frame: Frame | null, boxes: readonly Box[], gap: number): Pin[] {
  const registers = frame?.registers ?? {};
  const used = crash.memory_accesses?.[0]?.address ?? crash.address;
  const all: readonly (readonly [Pin['what'], string | null | undefined])[] = [
    ['pc', frame?.offset],
    ['sp', registers[spName(registers) ?? '']],
    ['fault', used],
  ];
  return all.flatMap(([what, text]) => {
    const address = parse(text);
    return address === null ? [] : [{what, address, x: placeOf(address, boxes, gap)}];
  });
}

// An address in no box stands in the gap between its neighbours.
function placeOf(address: bigint, boxes: readonly Box[], gap: number): number {
  const at = boxes.find(b => address < b.end);
  if (!at) return mapWidth - gap / 2;
  if (address < at.base) return at.x - gap / 2;
  return at.x + (at.width * Number(address - at.base)) / Number(at.end - at.base);
}
