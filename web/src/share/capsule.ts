// What a capsule says of itself. Any program may have written it, so the page repeats it as the file's words.
import type {About} from '../engine/types.ts';
import {time} from '../text/format.ts';

/** The sentence without its end: the name of the program follows, if the file has one. "" if the file says nothing. */
export function claims({cleaned, made, by}: About): string {
  const all: string[] = [];
  if (cleaned !== null) all.push(cleaned ? 'personal data was removed from the dump' : 'the dump is as it was written');
  if (made || by !== '') all.push(`it was made${made ? ` ${time(made.getTime() / 1000)} UTC` : ''}`);
  return all.length === 0 ? '' : `The file says that ${all.join(', and that ')}`;
}
