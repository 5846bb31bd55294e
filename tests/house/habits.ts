import { dirname } from 'node:path'
import { type Source, withoutComments } from '#tests/house/sources.ts'

type Habit = {
  refusal: string
  pattern: RegExp
  /** the files that the habit applies to */
  applies(path: string): boolean
  /** Looked for in comments and texts too, not in code alone. */
  everywhere?: boolean
}

const isCode = (path: string) => /\.tsx?$/.test(path)
const isProduct = (path: string) =>
  isCode(path) && !/^(tests|lab)\//.test(path) && !/^\w+\.config\.ts$/.test(path)

/** Requests to addresses of the configuration, and the one module for those that users give. */
const CALLERS = ['actions/accounts/google.ts', 'mail/telegram/api.ts', 'mail/guarded-request.ts']

const CLOCK_READERS = /^(server\.ts|server\/thread-work\.ts|scripts\/|islands\/)/

// Written in pieces, so that this file does not break its own rules.
const MACHINE_PATHS = new RegExp(`(?<![\\w.*])/${'wo'}${'rk'}(?=[/\\s'"\`]|$)`)
const REGISTRY_HOSTS = new RegExp(`registry\\.${'np'}${'mjs'}`)
const ISSUE_NUMBERS = /\/\/.*\s#\d{1,4}\b/

/** The scripts that look at the screen, whose tests run on a phone and on a desktop. */
const SCREEN_READERS = [
  'islands/alerts/_installed-app.ts',
  'islands/alerts/_matrix.ts',
  'islands/ui/_menus.ts',
]

const OPERATOR_SETTINGS =
  /\b(?:UPI_ID|BANK_[A-Z]+|SMTP_URL|MAIL_FROM|SUPPORT_EMAIL|SUPPORT_PHONE|TEST_MODE)\b/
/** Files with texts for users. The System tab is for the super admin. */
const isForUsers = (path: string) =>
  /^(components|islands|mail)\//.test(path) && path !== 'components/admin/system-cards.tsx'

const HABITS: Habit[] = [
  {
    refusal: 'names a setting of the operator to people who cannot set it',
    pattern: OPERATOR_SETTINGS,
    applies: isForUsers,
  },
  {
    refusal: 'reads process.env, which is for config.ts',
    pattern: /(?<!['"])process\.env\b/,
    applies: (path) => isProduct(path) && path !== 'config.ts',
  },
  {
    refusal: 'takes the encoded path of a URL for the path of a file',
    pattern: /import\.meta\.url\)\s*\.pathname/,
    applies: () => true,
  },
  {
    refusal: 'reads the clock instead of being given the time',
    pattern: /new Date\(\s*\)|\bDate\.now\(/,
    applies: (path) => isProduct(path) && !CLOCK_READERS.test(path),
  },
  {
    refusal: 'renders to a string outside of _render.tsx and _island.tsx',
    pattern: /\brenderTo(String|StaticMarkup|PipeableStream|ReadableStream)\b/,
    applies: (path) =>
      isProduct(path) && path !== 'routes/_http/render.tsx' && path !== 'islands/_island.tsx',
  },
  {
    refusal: 'makes requests of its own, which users could aim at the internal network',
    pattern: /(?<![.\w])fetch\(|'node:https'|\b(?:request|get)\b[^}]*\} from 'node:http'/,
    applies: (path) => isProduct(path) && !path.startsWith('islands/') && !CALLERS.includes(path),
  },
  {
    refusal: 'asks for the size or kind of the screen, which most tests have of phones alone',
    pattern: /\bmatchMedia\(|\b(?:inner|outer)(?:Width|Height)\b|\bmaxTouchPoints\b|\bontouch\w+/,
    applies: (path) => isProduct(path) && !SCREEN_READERS.includes(path),
  },
  {
    refusal: 'writes SQL outside of db',
    pattern: /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`/,
    applies: (path) => isProduct(path) && !path.startsWith('db/'),
  },
  {
    refusal: 'writes SQL that values could break out of',
    pattern: /\bsql\.(raw|lit)\b|\bdynamic\.(ref|table)\b|\bKysely<any>/,
    applies: isProduct,
  },
  {
    refusal: 'begins a transaction that is not repeated when writers collide',
    pattern: /\.transaction\(\s*\)/,
    applies: (path) => isCode(path) && path !== 'db/transaction.ts',
  },
  {
    refusal: 'names a path of one machine',
    pattern: MACHINE_PATHS,
    applies: () => true,
    everywhere: true,
  },
  {
    refusal: 'names the host of a package registry',
    pattern: REGISTRY_HOSTS,
    applies: () => true,
    everywhere: true,
  },
  {
    refusal: 'cites an issue by its number',
    pattern: ISSUE_NUMBERS,
    applies: isCode,
    everywhere: true,
  },
]

const NAMELESS_FOLDERS = ['utils', 'lib', 'helpers', 'services', 'common', 'manager', 'managers']

/** A larger folder has nouns in it that deserve folders of their own. */
const MOST_FILES = 28
const GROWS = /^(tests|lab|docs)\//

/** A longer file of routes has two nouns in it. */
const MOST_LINES = 150

export function findHabits(sources: Source[]): string[] {
  return [
    ...sources.flatMap((source) => [...findInText(source), ...findInPath(source)]),
    ...findCrowded(sources),
    ...findLong(sources),
  ]
}

function findCrowded(sources: Source[]): string[] {
  const counts = new Map<string, number>()
  for (const folder of sources.map(({ path }) => dirname(path)))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  return [...counts]
    .filter(([folder, files]) => files > MOST_FILES && !GROWS.test(folder))
    .map(([folder, files]) => `${folder}: ${files} files, more than ${MOST_FILES}`)
}

function findLong(sources: Source[]): string[] {
  return sources
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ path, lines }) => path.startsWith('routes/') && lines > MOST_LINES)
    .map(({ path, lines }) => `${path}: ${lines} lines, more than ${MOST_LINES}`)
}

function findInText({ path, text }: Source): string[] {
  const code = withoutComments(text)
  return HABITS.filter(({ applies }) => applies(path)).flatMap(
    ({ refusal, pattern, everywhere }) => {
      const match = (everywhere ? text : code).match(pattern)
      return match ? [`${path}: ${refusal} (${match[0].trim()})`] : []
    },
  )
}

function findInPath({ path }: Source): string[] {
  const folder = path.split('/').find((part) => NAMELESS_FOLDERS.includes(part))
  return folder ? [`${path}: a folder named ${folder} says nothing`] : []
}
