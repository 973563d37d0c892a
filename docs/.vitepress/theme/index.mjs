// @ts-check
import theme from 'vitepress/theme-without-fonts';
import { PlaygroundPage } from '../playground/PlaygroundPage.mjs';
import { RunnableBlock } from '../playground/RunnableBlock.mjs';
import '../playground/style.css';
import './style.css';

/** @type {import('vitepress').Theme} */
export default {
  extends: theme,
  enhanceApp({ app }) {
    app.component('RunnableBlock', RunnableBlock).component('PlaygroundPage', PlaygroundPage);
  },
};
