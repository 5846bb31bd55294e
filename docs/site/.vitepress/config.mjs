// The site of the manual. A link to a page that is not there fails the build; tests/house looks for the headings.
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { defineConfig } from 'vitepress'

const index = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

// The build finds its packages only from pages below it.
const site = new URL('..', import.meta.url)
rmSync(new URL('pages', site), { recursive: true, force: true })
for (const name of readdirSync(new URL('..', site))) {
  if (name !== 'site')
    cpSync(new URL(`../${name}`, site), new URL(`pages/${name}`, site), { recursive: true })
}

/** The tables of the manual's index, each as a part of the sidebar. */
const sidebar = index
  .split('\n\n')
  .filter((part) => part.startsWith('| To '))
  .map((table) => ({
    text: /^\| (.+?) \|/.exec(table)[1],
    collapsed: false,
    items: Array.from(table.matchAll(/\[([^\]]+)\]\(([^).][^)]*)\.md\)/g), ([, text, page]) => ({
      text,
      link: `/${page.replace(/README$/, '')}`,
    })),
  }))

export default defineConfig({
  title: 'DriveQR',
  description: 'The manual of DriveQR',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.vitepress',
  rewrites: { 'README.md': 'index.md', ':folder/README.md': ':folder/index.md' },
  // Files of the repository are no pages of the site.
  ignoreDeadLinks: [/\/\.\.\/(?:\.\.\/)?(?:CONTRIBUTING|CHANGELOG|README|locales)\b/],
  cleanUrls: false,
  markdown: {
    html: false,
    config({ core, renderer: { rules } }) {
      // Comments for tests above blocks of commands would be shown.
      core.ruler.before('normalize', 'marks', (state) => {
        state.src = state.src.replaceAll(/^ *<!-- not run: .* -->\n/gm, '')
      })
      // Vue would take {{…}} in it for an expression.
      const { code_inline } = rules
      rules.code_inline = (tokens, n, ...rest) => {
        tokens[n].attrSet('v-pre', '')
        return code_inline(tokens, n, ...rest)
      }
    },
  },
  themeConfig: { sidebar, outline: 'deep', search: { provider: 'local' } },
})
