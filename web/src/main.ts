// The page's entry: the page is readable while the engine starts.
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import {mount} from './app/mount.ts';
import {startEngine} from './engine/engine.ts';
import {prepare} from './privacy/prepare.ts';

const root = document.querySelector<HTMLElement>('#app');
const prepared = prepare();
if (root) mount(root, prepared.then(startEngine), prepared);
