// Makes dist/ out of the page: what Vite builds, and around it all that a host, an offline visit or a mail needs.
//
// The order matters: each step describes the files of those before it. Nothing here knows the time, the machine or the folder
// that it runs in, so one commit gives one dist/, byte for byte.
import {copyFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'vite';
import {compress} from './compress.ts';
import {hosts} from './hosts.ts';
import {offline} from './offline.ts';
import {sums} from './sums.ts';
import {viewer} from './viewer.ts';

const project = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const dist = project('dist');

// What runs this is in development mode, and would pick the development builds of libraries.
process.env['NODE_ENV'] = 'production';
await build({configFile: project('web/vite.config.ts'), mode: 'production', logLevel: 'warn'});
// What is linked goes along with its licences.
for (const name of ['LICENSE', 'THIRD_PARTY_LICENSES']) await copyFile(project(name), join(dist, `${name}.txt`));
await offline(dist, project('web'));
await viewer(dist);
await hosts(dist);
await compress(dist, project('build/packed'));
await sums(dist);
