import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importsOf, readSources, withoutComments } from '#tests/house/sources.ts'

const sources = readSources()
const documents = sources.filter(({ path }) => path.endsWith('.md'))
const code = sources.filter(({ path }) => /\.(tsx?|mjs)$/.test(path))
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

const ROOMS =
  'actions|components|db|deploy|docs|domain|islands|lab|mail|routes|scripts|server|storage|tests'
const OUR_PATH = new RegExp(`\`#?((?:${ROOMS})/[\\w./-]+\\.\\w+)\``, 'g')
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)/g

function missing(path: string, text: string): string[] {
  const named = Array.from(text.matchAll(OUR_PATH), ([, file = '']) => file)
  const linked = Array.from(text.matchAll(LINK), ([, file = '']) => join(dirname(path), file))
  return [...named, ...linked].filter((file) => !existsSync(file))
}

test.each(documents.map(({ path, text }) => [path, text]))(
  'every file that %s names is there',
  (path, text) => {
    expect(missing(path, text)).toEqual([])
  },
)

test('a file that is not there is found', () => {
  const text = 'See `db/nothing.ts`, [this](nowhere.md) and [that](https://example.in/a.md).'
  expect(missing('docs/a.md', text)).toEqual(['db/nothing.ts', 'docs/nowhere.md'])
})

const HEADING_LINK = /\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)/g

/** The headings of a document, as links write them. */
function headingsOf(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, '')
  return Array.from(prose.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function missingHeadings(path: string, text: string): string[] {
  return Array.from(text.matchAll(HEADING_LINK)).flatMap(([, file = '', heading = '']) => {
    const target = file ? readFileSync(join(dirname(path), file), 'utf8') : text
    return headingsOf(target).includes(heading) ? [] : [`${file}#${heading}`]
  })
}

test.each(documents.map(({ path, text }) => [path, text]))(
  'every heading that %s links to is there',
  (path, text) => {
    expect(missingHeadings(path, text)).toEqual([])
  },
)

test('a heading that is not there is found, one in a block of commands is none', () => {
  const text =
    '# Files on S3\n```sh\n# doctor\n```\n[a](#files-on-s3) [b](#doctor) [c](README.md#nowhere)\n'
  expect(missingHeadings('a.md', text)).toEqual(['#doctor', 'README.md#nowhere'])
})

/** The comments of a source, which may contain paths in backticks. */
function missingInComments(text: string): string[] {
  const inCode: string[] = withoutComments(text).match(OUR_PATH) ?? []
  const named = Array.from(text.matchAll(OUR_PATH)).filter(([path]) => !inCode.includes(path))
  return named.flatMap(([, file = '']) => (existsSync(file) ? [] : [file]))
}

test('every file that a comment names is there', () => {
  const found = code.flatMap(({ path, text }) =>
    missingInComments(text).map((file) => `${path}: ${file}`),
  )
  expect(found).toEqual([])
})

test('a comment that names a file that is not there is found, a text that does is not', () => {
  const text = "/** As `#db/nothing.ts` says. */\nconst a = 'see `db/nowhere.ts`'\n"
  expect(missingInComments(text)).toEqual(['db/nothing.ts'])
})

/** Rows of tables that have more or fewer cells than their heading. */
function crookedRows(text: string): string[] {
  let heading = 0
  return text.split('\n').filter((line) => {
    const cells = line.startsWith('|') ? line.replaceAll(/`[^`]*`/g, '').split('|').length : 0
    if (cells === 0 || heading === 0) heading = cells
    return cells !== heading
  })
}

test.each(documents.map(({ path, text }) => [path, text]))(
  'every row of a table in %s has the cells of its heading',
  (_, text) => {
    expect(crookedRows(text)).toEqual([])
  },
)

test('a row of another table is found', () => {
  const row = '| `disk` | filled | 3 of 3 ¹ |'
  const text = `| Drill | Method |\n|---|---|\n| \`a|b\` | cut |\n${row}\n\n${row}\n`
  expect(crookedRows(text)).toEqual([row])
})

/** Titles in quotes after the path of a test file, of tests that are not in it. */
function missingTests(text: string): string[] {
  return text.split(/(?=`(?:tests|lab)\/)/).flatMap((part) => {
    const [, file] = /^`(tests\/[^`]+)`/.exec(part) ?? []
    if (!file) return []
    const source = readFileSync(file, 'utf8')
    const titles = Array.from(part.matchAll(/“([^”]+)”/g), ([, title = '']) => title)
    return titles.filter((title) => !source.includes(title))
  })
}

test('every test that docs/security.md and the pages beside it name is in its file', () => {
  const pages = documents.filter(({ path }) => path.startsWith('docs/security'))
  const text = pages.map((page) => page.text).join('\n')
  expect(text.match(/“/g)?.length).toBeGreaterThan(100)
  expect(missingTests(text)).toEqual([])
})

test('a test that is not in its file is found', () => {
  const text = '`tests/house/config.test.ts`: “a HOST that others reach”, “no such test”; drill `x`'
  expect(missingTests(text)).toEqual(['no such test'])
})

const NPM = /`(?:[A-Z_]+=\S+ )*npm (?:run (?:--silent )?)?([a-z][\w-]*)/g
/** What npm itself has. */
const NPMS_OWN = ['ci', 'install', 'run', 'version', 'view']

function unknownScripts(text: string): string[] {
  const asked = Array.from(text.matchAll(NPM), ([, name = '']) => name)
  return asked.filter((name) => !NPMS_OWN.includes(name) && !(name in manifest.scripts))
}

test.each(documents.map(({ path, text }) => [path, text]))(
  'every npm script that %s names is there',
  (_, text) => {
    expect(unknownScripts(text)).toEqual([])
  },
)

test('an npm script that is not there is found', () => {
  const text = 'Run `npm ci`, `npm run --silent driveqr -- doctor`, `npm start`, `npm run build`.'
  expect(unknownScripts(text)).toEqual(['build'])
})

test('every name in capitals that the documents give is one in the code', () => {
  const ours = code.map(({ text }) => text).join('\n')
  const named = documents.flatMap(({ text }) =>
    Array.from(text.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g), ([, name = '']) => name),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !new RegExp(`\\b${name}\\b`).test(ours))).toEqual([])
})

describe('folders of sources', () => {
  const tops = [...new Set(code.map(({ path }) => path))]
    .filter((path) => path.includes('/') && /\.tsx?$/.test(path))
    .map((path) => path.split('/', 1)[0] ?? '')
  const folders = [...new Set(tops)].toSorted()

  test('are those whose types are checked, all of them', () => {
    const { include } = JSON.parse(readFileSync('tsconfig.json', 'utf8'))
    expect(include).toEqual(['*.ts', ...folders])
    expect(readdirSync('.')).toEqual(expect.arrayContaining(folders))
  })

  test('that the product imports from make a build stale, and are sent to the image', () => {
    const text = readFileSync('scripts/bootstrap/build.mjs', 'utf8')
    const [, list = ''] = /SOURCE_FOLDERS = \[([^\]]+)\]/.exec(text) ?? []
    const named = Array.from(list.matchAll(/'(\w+)'/g), ([, name]) => name)
    const product = sources.filter(({ path }) => /^(server|app|config)\.ts$/.test(path))
    const reached = new Set(['scripts', ...reachedFrom(product.map(({ path }) => path))])
    expect(named.toSorted()).toEqual([...reached].toSorted())
  })
})

/** The folders at the top of everything that these files import, directly or not. */
function reachedFrom(paths: string[]): string[] {
  const seen = new Set(paths)
  for (const path of seen) {
    const source = sources.find((each) => each.path === path)
    for (const { specifier } of source ? importsOf(source) : []) {
      if (specifier.startsWith('#')) seen.add(specifier.slice(1))
    }
  }
  return [...seen].filter((path) => path.includes('/')).map((path) => path.split('/', 1)[0] ?? '')
}

test('no page of the manual has more than 200 lines, and the index leads to each', () => {
  const pages = documents.filter(({ path }) => path.startsWith('docs/'))
  const long = pages.filter(({ text }) => text.trimEnd().split('\n').length > 200)
  expect(long.map(({ path }) => path)).toEqual([])
  const index = readFileSync('docs/README.md', 'utf8')
  const folders = /^docs\/[^/]+\/(?!README\.md)/
  const named = pages.filter(({ path }) => path !== 'docs/README.md' && !folders.test(path))
  expect(named.length).toBeGreaterThan(25)
  const lost = named.filter(({ path }) => !index.includes(`](${path.slice('docs/'.length)}`))
  expect(lost.map(({ path }) => path)).toEqual([])
})

const DATE = /^# .+\n\nDate: \d{4}-\d\d-\d\d\. Status: [a-z]+\./

test('every decision has a date and a status', () => {
  const decisions = documents.filter(({ path }) => /^docs\/decisions\/\d/.test(path))
  expect(decisions.length).toBeGreaterThan(40)
  expect(decisions.filter(({ text }) => !DATE.test(text)).map(({ path }) => path)).toEqual([])
})

test('the changelog has a heading for this release', () => {
  const text = readFileSync('CHANGELOG.md', 'utf8')
  expect(text).toContain(`\n## ${manifest.version} - `)
})
