import {expect, test} from 'vitest';
import {aboutOf} from '../engine/capsule.ts';
import {claims} from './capsule.ts';

const said = (json: string): string => claims(aboutOf(json, []));

test.each([
  [
    '{"made":"2025-11-24T16:00:00Z","by":"Crashglass 1","cleaned":true}',
    'personal data was removed from the dump, and that it was made 2025-11-24 16:00:00 UTC',
  ],
  [
    '{"made":"2025-11-24T16:00:00Z","cleaned":false}',
    'the dump is as it was written, and that it was made 2025-11-24 16:00:00 UTC',
  ],
  ['{"by":"a program"}', 'it was made'],
  ['{"cleaned":true}', 'personal data was removed from the dump'],
])('the file is quoted: %s', (json, words) => {
  expect(said(json)).toBe(`The file says that ${words}`);
});

test.each([['{}'], ['null'], ['[]'], ['not JSON'], ['{"made":"never","by":1,"cleaned":"yes"}'], ['{"cleaned":null}']])(
  'a file that says nothing is not quoted, also not as a dump that is as it was: %s',
  json => {
    expect(said(json)).toBe('');
  },
);
