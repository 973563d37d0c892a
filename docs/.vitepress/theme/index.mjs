// @ts-check
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
