// The page's entry: the page is readable while the engine starts.
import './styles/page.css';
import {isEmbedded, listenToParent} from './app/embed.ts';
import {mount} from './app/mount.ts';
import {startEngine} from './engine/engine.ts';
import {prepare} from './privacy/prepare.ts';

const root = document.querySelector<HTMLElement>('#app');
const parent = isEmbedded() ? listenToParent() : null;
const prepared = prepare(parent !== null);
if (root) mount(root, prepared.then(startEngine), prepared, parent);
