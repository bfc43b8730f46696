import {expect, test} from 'vitest';
import {notSymbols} from './symbol-file.ts';

test.each([
  'MODULE Linux x86_64 000 app\n',
  '\xef\xbb\xbfMODULE Linux x86_64 000 app\n',
  'Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0',
  '\x7fELF\x02\x01\x01',
  'MZ\x90\0',
  '\xcf\xfa\xed\xfe\x07\0\0\x01',
  '\x1f\x8b\x08\0',
  '\x28\xb5\x2f\xfd',
  '\xfd7zXZ\0',
  'MSCF\0\0\0\0',
  'PK\x03\x04',
])('%j may be a symbol file', async head => {
  expect(await notSymbols(bytes(head))).toBeNull();
});

test.each([
  ['<!DOCTYPE html>', 'it sent a web page instead'],
  ['\xef\xbb\xbf\n <html>', 'it sent a web page instead'],
  ['<?xml version="1.0"?><Error>', 'it sent a web page instead'],
  ['{"error": "login"}', 'it sent something else'],
  ['MDMP\x93\xa7', 'it sent something else'],
  ['MODULE', 'it sent something else'],
  ['\x1f\x8b', 'it sent something else'],
  ['', 'it sent an empty file'],
])('%j is none: %s', async (head, why) => {
  expect(await notSymbols(bytes(head))).toBe(why);
});

const bytes = (text: string): Blob => new Blob([Uint8Array.from(text, char => char.charCodeAt(0))]);
