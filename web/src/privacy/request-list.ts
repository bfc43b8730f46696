// The exact list of requests to a host that forwards symbols. Names come from a dump, so the host's rule applies to them here,
// too: other names are not requested.
import type {Report} from '../report.ts';

/** One file that would be requested. */
export interface ListedFile {
  /** NAME/ID/NAME.sym, each part escaped, and the build id if the host uses it. */
  readonly path: string;
  readonly name: string;
  readonly id: string;
  readonly build: string;
}

/** Letters that names of modules have in practice. No slash, no backslash, no percent, and no character with a meaning in a URL or a shell. */
const strictName = /^[A-Za-z0-9_+@~#()[\]{} ,.=-]{1,128}$/;
const strictID = /^[0-9A-Fa-f]{32}[0-9A-Fa-f]{1,8}$/;
const strictBuild = /^(?:[0-9a-f]{2}){16,32}$/;

/** The wanted symbols of a report, without those that cannot be requested. */
export function requestList(report: Report, builds: boolean): ListedFile[] {
  const list = new Map<string, ListedFile>();
  for (const {debug_file: name, debug_id: id, code_id: code} of report.wanted_symbols ?? []) {
    if (!isName(name) || !strictID.test(id) || /^0+$/.test(id)) continue;
    const build = builds && isBuildOf(id, code.toLowerCase()) ? code.toLowerCase() : '';
    const parts = [name, id, `${name.replace(/\.pdb$/i, '')}.sym`].map(encodeURIComponent);
    const path = parts.join('/') + (build === '' ? '' : `?build=${build}`);
    list.set(path, {path, name, id, build});
  }
  return [...list.values()];
}

const isName = (name: string): boolean => strictName.test(name) && !/^[. ]|\.\.|[. ]$/.test(name);

// A debug id is made of a build id's first 16 bytes, as a GUID and an age of 0; a build id that does not match the debug id
// would reveal more than the debug id, and is not sent.
function isBuildOf(id: string, build: string): boolean {
  if (!strictBuild.test(build)) return false;
  const bytes = build.match(/../g) ?? [];
  const guid = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15].map(at => bytes[at]).join('');
  return id.toLowerCase() === `${guid}0`;
}
