// Makes dist/: the page as Vite builds it, and the files that a host, an offline visit or a mail needs.
//
// The order matters: each step uses the files of the steps before it. No step uses the time, the machine or the folder, so
// one commit gives one dist/, byte for byte.
import {copyFile, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'vite';
import {compress} from './compress.ts';
import {notices} from './files.ts';
import {hosts} from './hosts.ts';
import {offline} from './offline.ts';
import {joined} from './segments.ts';
import {sums} from './sums.ts';
import {viewer} from './viewer.ts';

const project = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const dist = project('dist');

const wasm = project('build/viewer.wasm');
await writeFile(wasm, joined(await readFile(wasm)));

// This script runs in development mode, in which Vite would choose the development builds of libraries.
process.env['NODE_ENV'] = 'production';
await build({configFile: project('web/vite.config.ts'), mode: 'production', logLevel: 'warn'});
// The licences of the linked code are part of dist/. What only the program for the command line contains is in a file of its own, which no visit loads.
const {page, program} = await notices(project('THIRD_PARTY_LICENSES'));
await copyFile(project('LICENSE'), join(dist, 'LICENSE.txt'));
await writeFile(join(dist, 'THIRD_PARTY_LICENSES.txt'), page);
await writeFile(join(dist, 'PROGRAM_LICENSES.txt'), program);
await offline(dist, project('web'));
await hosts(dist);
await compress(dist, project('build/packed'));
await viewer(dist);
await sums(dist);
