// The site: what VitePress is told. Pages and navigation come from stage.py; nothing is asked of another host.

import { readFileSync } from 'node:fs';

const navigation = JSON.parse(readFileSync(new URL('./navigation.json', import.meta.url), 'utf8'));
const chinese = [
  { text: '首页', link: '/zh/' },
  { text: '十分钟教程', link: '/zh/tutorial' },
  { text: '全部文档（英文）', link: '/documents' },
];

// Chinese has no blanks between words: each character is one, beside the runs of letters and digits.
const words = (text) => text.match(/\p{Script=Han}|[\p{L}\p{N}_]+/gu) ?? [];

const nav = [
  { text: 'Tutorial', link: '/tutorial' },
  { text: 'Kinds', link: '/kinds' },
  { text: 'Command line', link: '/cli' },
  { text: 'HTTP', link: '/reference/http' },
  { text: 'All documents', link: '/documents' },
];

export default {
  title: 'Tessera',
  description: 'Identifiers: made, checked, read, kept and retired by one core.',
  base: process.env.SITE_BASE ?? '/',
  outDir: process.env.SITE_OUT,
  cacheDir: './cache',
  cleanUrls: false,
  lastUpdated: false,
  metaChunk: true,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: (process.env.SITE_BASE ?? '/') + 'tessera.svg' }]],
  markdown: {
    attrs: { disable: true },  // {id} in a heading is a part of a path, not an attribute
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { console: 'shellsession' },
  },
  locales: {
    root: { label: 'English', lang: 'en' },
    zh: {
      label: '中文',
      lang: 'zh-Hans',
      themeConfig: {
        nav: chinese,
        sidebar: [{ text: '中文', items: chinese }],
        outline: { label: '本页' },
        docFooter: { prev: '上一页', next: '下一页' },
        darkModeSwitchLabel: '深色',
        sidebarMenuLabel: '目录',
        returnToTopLabel: '回到顶部',
        langMenuLabel: '语言',
      },
    },
  },
  themeConfig: {
    logo: '/tessera.svg',
    i18nRouting: false,
    nav,
    sidebar: navigation,
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          options: { tokenize: words },
          // A page says more about a word than the headers do that have it: those come behind.
          searchOptions: {
            tokenize: words,
            fuzzy: 0.15,
            prefix: true,
            boostDocument: (id) => (id.includes('/reference/cpp/') ? 0.1 : 1),
          },
        },
        locales: {
          zh: {
            translations: {
              button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
              modal: {
                displayDetails: '显示详情',
                resetButtonTitle: '清除',
                backButtonTitle: '关闭',
                noResultsText: '没有找到',
                footer: { selectText: '打开', navigateText: '移动', closeText: '关闭' },
              },
            },
          },
        },
      },
    },
  },
};
