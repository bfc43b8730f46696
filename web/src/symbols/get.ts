// For a module without symbols: the file to get, its source, and a command for the user's shell.
//
// The page itself fetches nothing: these are texts to copy. Names come from the dump, and its author may want the user to run
// something else: every name is quoted for the shell, and a name that a shell could read in another way makes no command.
// core/report/render/fetch.go writes the same lines for a symbol store.
import type {Module, Report, Wanted} from '../report.ts';

/** The shells that commands are written for. */
export type Shell = 'powershell' | 'macos' | 'linux';

/** The shells with the words that name them. */
export const shells: readonly (readonly [Shell, string])[] = [
  ['powershell', 'Windows, PowerShell'],
  ['macos', 'macOS'],
  ['linux', 'Linux'],
];

/** The shell of the system that the browser says it runs on. */
export function shellOf(platform: string): Shell {
  if (/^win/i.test(platform)) return 'powershell';
  return /^(mac|iphone|ipad)/i.test(platform) ? 'macos' : 'linux';
}

/** The shell of that name, or the one of the system. */
export const asShell = (name: string | null, platform: string): Shell =>
  shells.find(([shell]) => shell === name)?.[0] ?? shellOf(platform);

export interface Get {
  /** Names of files, each of this build. */
  readonly files: readonly string[];
  /** "Microsoft", "Build folder". */
  readonly where: string;
  /** What follows the files: "not on public servers". */
  readonly note: string;
  /** Addresses on a symbol server. */
  readonly urls: readonly string[];
  /** One line for the shell; null where no command gets it. */
  readonly command: string | null;
}

/** The files that a module needs. needsCode says that frames after it were guessed, so its unwind data is needed, too. */
export function getting(report: Report, module: Module, wanted: Wanted, shell: Shell, needsCode: boolean): Get {
  const wanting: Wanting = {report, module, wanted, shell, needsCode};
  return (origins.get(wanted.origin ?? '') ?? fromBuild)(wanting);
}

/** The source of a file, after "from". */
export const inSentence = (where: string): string => places.get(where) ?? where;

const places: ReadonlyMap<string, string> = new Map([
  ['Build folder', 'the build folder'],
  ['Distribution', 'the distribution'],
  ['A Mac', 'a Mac'],
  ['The device', 'the device'],
]);

interface Wanting {
  readonly report: Report;
  readonly module: Module;
  readonly wanted: Wanted;
  readonly shell: Shell;
  readonly needsCode: boolean;
}

type From = (wanting: Wanting) => Get;

// Microsoft's and Chromium's stores have what the linker wrote; Mozilla's and Electron's have Breakpad's files, which hold the unwind data, too.
const origins: ReadonlyMap<string, From> = new Map<string, From>([
  ['microsoft', wanting => fromStore(wanting, 'Microsoft', native(wanting))],
  ['chromium', wanting => fromStore(wanting, 'Chromium', native(wanting))],
  ['mozilla', wanting => fromStore(wanting, 'Mozilla', breakpad(wanting))],
  ['electron', wanting => fromStore(wanting, 'Electron', breakpad(wanting))],
  ['distribution', fromDistribution],
  [
    'mac',
    wanting => ({
      ...elsewhere(wanting, 'A Mac', null),
      note: `with version ${wanting.report.system_info.os_ver ?? 'of the dump'}`,
    }),
  ],
  ['device', fromDevice],
]);

const last = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const breakpad = ({wanted}: Wanting): string[] =>
  (wanted.paths ?? []).filter(path => path.endsWith('.sym')).slice(0, 1);

// On x64 and ARM64 the unwind data is in the binary and not in the .pdb.
function native({wanted, report, needsCode}: Wanting): string[] {
  const paths = wanted.paths ?? [];
  const own = paths.filter(path => last(path) === wanted.debug_file).slice(0, 1);
  const code = needsCode && inBinary.has(report.system_info.cpu_arch ?? '') ? wanted.code_file : null;
  return [...own, ...paths.filter(path => code !== null && code !== wanted.debug_file && last(path) === code)];
}

const inBinary: ReadonlySet<string> = new Set(['amd64', 'arm64']);

function fromStore({wanted, shell}: Wanting, where: string, paths: readonly string[]): Get {
  const usable = paths.filter(isHarmless);
  const urls = wanted.server === undefined ? [] : usable.map(path => `${wanted.server}/${urlPath(path)}`);
  const files = paths.length > 0 ? paths.map(last) : [wanted.debug_file || wanted.code_file];
  const many = urls.length > 1 ? '-fL --remote-name-all' : '-fLO';
  return {files, where, note: '', urls, command: urls.length === 0 ? null : `${curl(shell)} ${many} ${urls.join(' ')}`};
}

// PowerShell has a "curl" of its own, which is another program.
const curl = (shell: Shell): string => (shell === 'powershell' ? 'curl.exe' : 'curl');

// Source: https://sourceware.org/elfutils/Debuginfod.html
function fromDistribution({wanted, shell, needsCode}: Wanting): Get {
  const {server, code_id: id, code_file: name} = wanted;
  const file = quoted(`${name}.debug`, shell);
  const code = quoted(name, shell);
  const rest = {where: 'Distribution', files: needsCode ? [`${name}.debug`, name] : [`${name}.debug`]};
  if (server === undefined || file === null || code === null || !/^[0-9a-f]{32,}$/i.test(id)) {
    return {...rest, urls: [], command: null, note: 'in its debug package'};
  }
  const url = (kind: string): string => `${server}/buildid/${id.toLowerCase()}/${kind}`;
  const urls = needsCode ? [url('debuginfo'), url('executable')] : [url('debuginfo')];
  const binary = needsCode ? ` -o ${code} ${urls[1]}` : '';
  return {...rest, note: '', urls, command: `${curl(shell)} -fL -o ${file} ${urls[0]}${binary}`};
}

// What Linux calls mappings of memory in /proc/PID/maps, and adds to the name of a file that was deleted since.
const neverAFile = /^(\/dev\/(ashmem|zero)\b|\/memfd:|\/SYSV|\[|anon_inode:)/;
const deleted = / \(deleted\)$/;

function fromBuild(wanting: Wanting): Get {
  const {wanted, report, shell, module} = wanting;
  if (neverAFile.test(module.path)) return {...elsewhere(wanting, 'Memory', null), note: 'never was a file'};
  const names = [wanted.debug_file, wanted.code_file]
    .map(name => name.replace(deleted, ''))
    .filter((name, i, all) => name !== '' && all.indexOf(name) === i);
  const uuid = uuidOf(wanted.code_id);
  const isApple = ['Mac OS X', 'iOS'].includes(report.system_info.os ?? '');
  const get = elsewhere(
    wanting,
    'Build folder',
    isApple && shell === 'macos' && uuid ? spotlight(uuid) : find(names, shell),
  );
  return {...get, files: names, note: 'not on public servers'};
}

// Source: Apple, "Adding identifiable symbol names to a crash report".
const spotlight = (uuid: string): string => `mdfind "com_apple_xcode_dsym_uuids == ${uuid}"`;

function uuidOf(id: string): string | null {
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i.exec(id);
  return parts ? parts.slice(1).join('-').toUpperCase() : null;
}

function find(names: readonly string[], shell: Shell): string | null {
  const all = shell === 'powershell' ? names : [...new Set(names.flatMap(withDebugFiles))];
  const words = all.map(name => (/[*?[\]\\]/.test(name) ? null : quoted(name, shell)));
  if (words.length === 0 || words.includes(null)) return null;
  if (shell === 'powershell') return `Get-ChildItem -Recurse -Path . -Include ${words.join(', ')}`;
  return `find . -name ${words.join(' -o -name ')}`;
}

// An ELF file's symbols are beside it, a .pdb has its own, and Breakpad names its file after either.
const withDebugFiles = (name: string): string[] =>
  /\.(pdb|exe|dll|sys)$/i.test(name) ? [name, name.replace(/\.pdb$/i, '.sym')] : [name, `${name}.debug`, `${name}.sym`];

// Source: https://developer.android.com/tools/adb#copyfiles
function fromDevice(wanting: Wanting): Get {
  const {report, module, shell} = wanting;
  const path = module.path.startsWith('/') ? quoted(module.path, shell) : null;
  const command = report.system_info.os === 'Android' && path !== null ? `adb pull ${path}` : null;
  return {...elsewhere(wanting, 'The device', command), note: 'or one with the same build'};
}

const elsewhere = ({wanted}: Wanting, where: string, command: string | null): Get => ({
  files: [wanted.code_file || wanted.debug_file],
  where,
  note: '',
  urls: [],
  command,
});

// PowerShell treats curved quotes as straight ones, and Windows shells do not pass a double quote through unchanged.
function quoted(text: string, shell: Shell): string | null {
  if (!isHarmless(text) || /["\u2018-\u201b]/.test(text)) return null;
  if (/^[\w.+/][\w.+/-]*$/.test(text)) return text;
  return shell === 'powershell' ? `'${text.replaceAll("'", "''")}'` : inQuotes(text);
}

const inQuotes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The command for one file of a symbol store; null for a path that is unsafe to type. */
export function fetchLine(path: string): string | null {
  if (!isHarmless(path)) return null;
  return `curl -fL --create-dirs -o ${inQuotes(`symbols/${path}`)} "$SYMBOL_SERVER/${urlPath(path)}"`;
}

/** Whether a path shows as what it is and leads to no other folder. */
const isHarmless = (path: string): boolean => path !== '' && !`/${path}/`.includes('/../') && !harmful.test(path);

// Control characters, what changes the direction of text, what is not seen, and halves of characters.
const harmful = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

/** A path as RFC 3986 spells it. */
const urlPath = (path: string): string =>
  encodeURIComponent(path)
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
