// A frame with everything that a variable can be, for tests and pictures.
import type {Report} from '../src/report.ts';
import {variable, withVariables} from './make.ts';

const evidence = {
  rule: 'DW_OP_fbreg -40',
  from: '.debug_info at 0x1234',
  registers: {rbp: '0x00007fff00000040'},
  reads: [{address: '0x00007fe259618e88', value: '0x0000000000000004'}],
} as const;

const ints = Array.from({length: 100}, (_, i) => variable(`[${i}]`, 'int', String(i * i)));

const batch = [
  variable('id', 'std::string', '"2026-11-close"'),
  variable('entries', 'std::vector<int>', ints),
  variable('memo', 'char *', '0x00007f3c48000b20', {
    state: 'not_captured',
    why: 'memory at 0x7f3c48000b20 is not in the dump',
  }),
];

/** The report of that frame. */
export const everything = (): Report =>
  withVariables([
    variable('batch', 'ledger::Batch const &', batch, {kind: 'argument', location: '0x00007fe259618f00', evidence}),
    variable('index', 'size_t', '4', {kind: 'argument', location: '0x00007fe259618e88', evidence}),
    variable('flags', 'int', null, {
      kind: 'argument',
      state: 'optimized_out',
      why: 'the debug information has no place for it',
    }),
    variable('total', 'int64_t', '-32450', {kind: 'local', location: 'rbx', evidence: {...evidence, reads: null}}),
    variable('rate', 'double', null, {kind: 'local', state: 'optimized_out'}),
    variable('odd', 'Odd', null, {kind: 'local', state: 'unreadable', why: 'values of type void have no content'}),
  ]);
