// The page's entry: the engine starts while the page is already there to be read.
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import {mount} from './app/mount.ts';
import {startEngine} from './engine/engine.ts';
import {prepare} from './privacy/prepare.ts';

const root = document.querySelector<HTMLElement>('#app');
const prepared = prepare();
if (root) mount(root, prepared.then(startEngine), prepared);
