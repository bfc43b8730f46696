// The exact list of what would be asked of a host that passes on symbols. Names come out of a dump, so they are held to the
// same rule as at the host: what does not fit is not asked for.
import type {Report} from '../report.ts';

/** One file that would be asked for. */
export interface Question {
  /** NAME/ID/NAME.sym, each part escaped, and the build id where it helps. */
  readonly path: string;
  readonly name: string;
  readonly id: string;
  readonly build: string;
}

/** Letters that names of modules have in practice. No slash, no backslash, no percent, nothing that a URL or a shell would read. */
const strictName = /^[A-Za-z0-9_+@~#()[\]{} ,.=-]{1,128}$/;
const strictID = /^[0-9A-Fa-f]{32}[0-9A-Fa-f]{1,8}$/;
const strictBuild = /^(?:[0-9a-f]{2}){16,32}$/;

/** What a report wants, without what cannot be asked for. */
export function questions(report: Report, builds: boolean): Question[] {
  const asked = new Map<string, Question>();
  for (const {debug_file: name, debug_id: id, code_id: code} of report.wanted_symbols ?? []) {
    if (!isName(name) || !strictID.test(id) || /^0+$/.test(id)) continue;
    const build = builds && isBuildOf(id, code.toLowerCase()) ? code.toLowerCase() : '';
    const parts = [name, id, `${name.replace(/\.pdb$/i, '')}.sym`].map(encodeURIComponent);
    const path = parts.join('/') + (build === '' ? '' : `?build=${build}`);
    asked.set(path, {path, name, id, build});
  }
  return [...asked.values()];
}

const isName = (name: string): boolean => strictName.test(name) && !/^[. ]|\.\.|[. ]$/.test(name);

// A debug id is made of a build id's first 16 bytes, as a GUID and an age of 0; a build id that has another tells more than the
// debug id does, and is none.
function isBuildOf(id: string, build: string): boolean {
  if (!strictBuild.test(build)) return false;
  const bytes = build.match(/../g) ?? [];
  const guid = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15].map(at => bytes[at]).join('');
  return id.toLowerCase() === `${guid}0`;
}
