// VitePress's own theme, with our colours, and without its font: every machine has one.

import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
