// Builds the harness once for all end-to-end tests.
import {build} from 'vite';
import {project} from '../browser.ts';

export default async function setup(): Promise<void> {
  // The test runner's own environment would pick the development builds of libraries, which the page does not have.
  process.env['NODE_ENV'] = 'production';
  await build({configFile: project('web/test/harness/vite.config.ts'), mode: 'production'});
}
