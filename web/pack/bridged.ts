// The page of the extension for VS Code: viewer.html with a script before its own, which its policy names by digest, too.
import {sha256} from './files.ts';

const policy = /(http-equiv="Content-Security-Policy" content="[^"]*script-src )/;
const own = /\s*<script type="module">/;

/** viewer.html with the script. It runs before the page locks itself, after which no other script can. */
export function bridged(viewer: string, script: string): string {
  const code = script.trimEnd();
  for (const pattern of [policy, own])
    if (!pattern.test(viewer)) throw new Error(`viewer.html has nothing that matches ${pattern}`);
  return viewer
    .replace(policy, (_, before) => `${before}'sha256-${sha256(code, 'base64')}' `)
    .replace(own, before => `\n    <script>${code}</script>${before}`);
}
