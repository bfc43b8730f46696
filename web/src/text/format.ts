// Sizes, times and speeds as users read them.

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A size: at most two digits after the point of the next larger unit, "1.5 MiB", "528 KiB", "1 byte". */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  if (unit === 0) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return `${trimmed(value)} ${units[unit]}`;
}

/** The same, with "B" for bytes, where there is little room. */
export const shortSize = (bytes: number): string => size(bytes).replace(/ bytes?$/, ' B');

const trimmed = (value: number): string => (value < 10 ? value.toFixed(1).replace(/\.0$/, '') : value.toFixed(0));

/** "2026-11-21 10:17:07", always UTC; null for a time that no calendar has. */
export function time(seconds: number): string | null {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 19).replace('T', ' ');
}

/** The year of a time, in UTC. */
export const yearOf = (seconds: number): number => new Date(seconds * 1000).getUTCFullYear();

/** The days of these times, the first to the last: "18 to 21 Nov 2026", in UTC; "" for none. */
export function days(times: readonly number[]): string {
  if (times.length === 0) return '';
  const [from, to] = [day(Math.min(...times)), day(Math.max(...times))];
  if (from.text === to.text) return to.text;
  if (from.month === to.month) return `${from.day} to ${to.text}`;
  return from.year === to.year ? `${from.day} ${from.name} to ${to.text}` : `${from.text} to ${to.text}`;
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function day(seconds: number): {day: number; name: string; month: string; year: number; text: string} {
  const date = new Date(seconds * 1000);
  const [n, name, year] = [date.getUTCDate(), monthNames[date.getUTCMonth()] ?? '', date.getUTCFullYear()];
  return {day: n, name, month: `${name} ${year}`, year, text: `${n} ${name} ${year}`};
}

/** "5 s", "3 min 20 s", "2 h 5 min", "3 d 4 h": the two largest units. */
export function duration(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([n]) => n > 0);
  if (first < 0) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([n]) => n > 0)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(' ');
}

/** "1.1 GB/s": how fast files are read. Decimal, as disks are sold. */
export function speed(bytesPerSecond: number): string {
  if (bytesPerSecond >= 1e9) return `${(bytesPerSecond / 1e9).toFixed(1)} GB/s`;
  return `${Math.round(bytesPerSecond / 1e6)} MB/s`;
}

const decimal: readonly (readonly [number, string, number])[] = [
  [1e9, 'GB', 1],
  [1e6, 'MB', 0],
  [1e3, 'kB', 0],
  [1, 'bytes', 0],
];

/** "412 of 980 MB": how much of a file is read, in the unit that its size has. */
export function amount(done: number, total: number): string {
  const [unit, name, places] = decimal.find(([least]) => total >= least) ?? [1, 'bytes', 0];
  return `${(done / unit).toFixed(places)} of ${(total / unit).toFixed(places)} ${name}`;
}

/** "412 MB so far": how much came out of a file whose end is not known. */
export function soFar(done: number): string {
  const [unit, name, places] = decimal.find(([least]) => done >= least) ?? [1, 'bytes', 0];
  return `${(done / unit).toFixed(places)} ${name} so far`;
}
