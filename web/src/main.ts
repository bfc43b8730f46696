// The page's entry.
import {html, render} from 'lit-html';

const app = document.querySelector<HTMLElement>('#app');
if (app) render(html`<h1>Crashglass</h1>`, app);
