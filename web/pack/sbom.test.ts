import {expect, test} from 'vitest';
import {components, merged} from './sbom.ts';

const part = (purl: string) => ({type: 'library', name: purl, version: '1', purl});

const bills = [
  {
    components: [
      part('pkg:golang/b.example/b@v1.0.0'),
      part('pkg:golang/a.example/a@v2.0.0'),
      part('pkg:golang/unlinked@v1'),
    ],
  },
  {components: [part('pkg:golang/a.example/a@v2.0.0'), part('pkg:npm/%40scope/lit@3.0.0'), {type: 'file', name: 'x'}]},
];
const linked = new Set(['a.example/a@v2.0.0', 'b.example/b@v1.0.0']);

test('what is linked is listed once, in order', () => {
  expect(components(bills, linked).map(part => part.purl)).toEqual([
    'pkg:golang/a.example/a@v2.0.0',
    'pkg:golang/b.example/b@v1.0.0',
    'pkg:npm/%40scope/lit@3.0.0',
  ]);
});

test('what cdxgen says of the licence of a Go module is left out: it differs between folders', () => {
  const said = bills.map(bill => ({
    components: bill.components.map(c => ({...c, licenses: [{license: {name: 'CUSTOM'}}]})),
  }));
  expect(components(said, linked)[0]?.licenses).toEqual([
    {license: {name: 'a.example/a@v2.0.0 in THIRD_PARTY_LICENSES'}},
  ]);
});

test('what no tool names is an error', () => {
  expect(() => components(bills, new Set(['c.example/c@v1.0.0']))).toThrow(
    'c.example/c@v1.0.0 is linked, but in no bill of materials',
  );
});

test('the order of the bills changes nothing', () => {
  expect(merged([...bills].reverse(), linked, '1.2.3')).toBe(merged(bills, linked, '1.2.3'));
  expect(merged(bills, linked, '1.2.3')).toContain('"serialNumber": "urn:uuid:');
});
