// report.ts mirrors core/report: the schema that the Go types are held to is read here and compared with the interfaces,
// name by name, with what may be missing and what may be null.
import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const schema = JSON.parse(readFileSync(new URL('../../core/report/schema.json', import.meta.url), 'utf8')) as Schema & {
  readonly $defs: Readonly<Record<string, Schema>>;
};

/** One field as both sides have it: "number | null", with ? when it may be missing. */
type Fields = Map<string, string>;

function fromSchema({properties, required}: Schema): Fields {
  return new Map(
    Object.entries(properties ?? {}).map(([name, s]) => [
      `${name}${required?.includes(name) ? '' : '?'}`,
      kinds(s).join(' | '),
    ]),
  );
}

// An object of the schema is an interface here; which one is not compared, only that it is one.
function kinds(s: Schema): string[] {
  if (s.$ref) return [s.$ref.endsWith('/Address') ? 'string' : 'object'];
  if (s.anyOf) return [...new Set(s.anyOf.flatMap(kinds))].sort();
  if (!s.type) return ['unknown'];
  const names = typeof s.type === 'string' ? [s.type] : s.type;
  return [...new Set(names.map(name => (name === 'integer' ? 'number' : name)))].sort();
}

const source = readFileSync(new URL('./report.ts', import.meta.url), 'utf8');
const interfaces = new Map(
  [...source.matchAll(/export interface (\w+)(?: extends (\w+))? \{([^}]*)\}/g)].map(m => [
    m[1] ?? '',
    {base: m[2], body: m[3] ?? ''},
  ]),
);

function fromSource(name: string): Fields {
  const found = interfaces.get(name);
  if (!found) return new Map();
  const own = [...found.body.matchAll(/readonly (\w+)(\??): ([^;]+);/g)].map(
    m => [`${m[1]}${m[2]}`, tsKinds(m[3] ?? '')] as const,
  );
  return new Map([...(found.base ? fromSource(found.base) : []), ...own]);
}

function tsKinds(type: string): string {
  const parts = type.split('|').map(part => {
    const name = part.trim();
    if (name.endsWith('[]')) return 'array';
    if (name === 'Address') return 'string';
    return ['string', 'number', 'boolean', 'null', 'unknown'].includes(name) ? name : 'object';
  });
  return [...new Set(parts)].sort().join(' | ');
}

const names = Object.keys(schema.$defs).filter(name => schema.$defs[name]?.properties);

test('every type of the schema has an interface, and every interface a type', () => {
  expect([...interfaces.keys()].sort()).toEqual([...new Set([...names, 'Report'])].sort());
});

describe('fields', () => {
  test('Report', () => expect(sorted(fromSource('Report'))).toEqual(sorted(fromSchema(schema))));

  test.each(names)('%s', name => {
    expect(sorted(fromSource(name))).toEqual(sorted(fromSchema(schema.$defs[name] ?? {})));
  });
});

const sorted = (fields: Fields): [string, string][] => [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
