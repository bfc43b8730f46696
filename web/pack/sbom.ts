// The bill of materials of a release, in CycloneDX: the Go modules from cdxgen and the npm packages from cyclonedx-npm, in one file that is the same each time.
//
//   node test/run.js pack/sbom.ts VERSION LINKED GO.json... NPM.json >OUT
//
// LINKED lists the Go modules that are linked, MODULE@VERSION on each line. Other modules of the bills are omitted; a linked module that no bill has is an
// error.
import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';

interface Component {
  readonly type: string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly hashes?: unknown;
  readonly licenses?: unknown;
}

interface Bill {
  readonly metadata?: {readonly tools?: {readonly components?: readonly Component[]}};
  readonly components?: readonly Component[];
}

/** The linked components of the bills, each once, sorted by name. */
export function components(bills: readonly Bill[], linked: ReadonlySet<string>): Component[] {
  const found = new Map<string, Component>();
  for (const {type, name, version, purl, hashes, licenses} of bills.flatMap(bill => bill.components ?? [])) {
    const go = /^pkg:golang\/(.+)$/.exec(decodeURIComponent(purl ?? ''))?.[1];
    if (purl === undefined || (go === undefined ? !purl.startsWith('pkg:npm/') : !linked.has(go))) continue;
    // cdxgen finds the licence of a Go module in some folders only, and its names are wrong.
    const terms = go === undefined ? licenses : [{license: {name: `${go} in THIRD_PARTY_LICENSES`}}];
    found.set(purl, {type, 'bom-ref': purl, name, version, purl, hashes, licenses: terms} as Component);
  }
  const names = new Set([...found.keys()].map(purl => decodeURIComponent(purl)));
  for (const module of linked) {
    if (!names.has(`pkg:golang/${module}`)) throw new Error(`${module} is linked, but in no bill of materials`);
  }
  return [...found.values()].sort((a, b) => ((a.purl ?? '') < (b.purl ?? '') ? -1 : 1));
}

/** One bill of all components, without times and random numbers. */
export function merged(bills: readonly Bill[], linked: ReadonlySet<string>, version: string): string {
  const parts = components(bills, linked);
  const tools = new Map(
    bills
      .flatMap(bill => bill.metadata?.tools?.components ?? [])
      .map(({type, name, version}) => [name, {type, name, version}]),
  );
  const subject = {
    type: 'application',
    'bom-ref': 'crashglass',
    name: 'crashglass',
    version,
    licenses: [{license: {id: 'Apache-2.0'}}],
  };
  const body = {
    metadata: {tools: {components: [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1))}, component: subject},
    components: parts,
    dependencies: [{ref: 'crashglass', dependsOn: parts.map(part => part.purl)}],
  };
  const head = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid(JSON.stringify(body))}`,
    version: 1,
  };
  return `${JSON.stringify({...head, ...body}, null, 2)}\n`;
}

/** A UUID made from a text: version 8 of RFC 9562. */
function uuid(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

/** Reads the arguments and writes the bill. */
async function main([version, list, ...files]: readonly string[]): Promise<void> {
  if (version === undefined || list === undefined || files.length === 0)
    throw new Error('usage: sbom.ts VERSION LINKED BILL...');
  const linked = new Set((await readFile(list, 'utf8')).split('\n').filter(line => line !== ''));
  const bills = await Promise.all(files.map(async file => JSON.parse(await readFile(file, 'utf8')) as Bill));
  process.stdout.write(merged(bills, linked, version));
}

if (process.argv[2]?.endsWith('sbom.ts')) await main(process.argv.slice(3));
