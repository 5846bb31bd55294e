import { type Import, importsOf, type Source } from '#tests/house/sources.ts'

/** The rooms with the data and the rules. */
const BELOW = ['db', 'storage', 'formats', 'mail', 'backup', 'domain', 'locales']

/** The rooms that each room may import. A room is a folder at the top, or a file there without its ending. */
const MAY_IMPORT: Record<string, string[]> = {
  locales: ['locales'],
  domain: ['domain', 'locales'],
  config: ['domain', 'package'],
  db: ['db', 'domain', 'locales'],
  formats: ['formats', 'domain', 'locales'],
  storage: ['storage', 'formats', 'domain', 'locales'],
  mail: ['mail', 'domain', 'locales'],
  backup: ['backup', 'db', 'storage', 'domain', 'locales'],
  components: ['components', 'domain', 'locales'],
  islands: ['islands', 'components', 'domain', 'locales'],
  actions: ['actions', ...BELOW],
  routes: ['routes', 'actions', 'islands', 'components', 'config', ...BELOW],
  app: ['routes'],
  server: ['server', 'config', 'app', 'actions', ...BELOW],
  scripts: ['scripts', 'config', 'app', 'actions', ...BELOW],
}

/** Rooms that may import only types of another room. */
const MAY_IMPORT_TYPES: Record<string, string[]> = {
  db: ['config'],
  storage: ['config'],
  mail: ['config'],
  actions: ['config'],
}

/** The server may use what all requests share, and the finder's application. */
const MAY_USE_PLUMBING = ['server', 'scripts']
const PLUMBING = /^routes\/(_http\/|scan\/_finder-app\.)/

/** Rooms that run in browsers may import these packages and nothing of Node. */
const BROWSER_SAFE: Record<string, string[]> = {
  domain: [],
  locales: ['@formatjs/icu-messageformat-parser'],
  components: ['react'],
  islands: [
    'react',
    'react-dom',
    'react-dom/client',
    'react-dom/server',
    '@simplewebauthn/browser',
  ],
}

/** The build gives browsers another module in its place. */
const NOT_FOR_BROWSERS = 'domain/accounts/phone-library.ts'

/** Packages that only one module imports, so that replacing one changes one file. */
const DOORS: Record<string, (path: string) => boolean> = {
  'libphonenumber-js': (path) => path === NOT_FOR_BROWSERS,
  lucia: (path) => path === 'db/accounts/sessions.ts',
  '@simplewebauthn/server': (path) => path === 'db/passkeys/ceremonies.ts',
  '@simplewebauthn/browser': (path) => path === 'islands/accounts/_passkey.ts',
  otpauth: (path) => path === 'db/accounts/authenticator-app.ts',
  oslo: (path) => path === 'db/secrets.ts',
  pdfkit: (path) =>
    ['formats/label-pdf.ts', 'formats/receipt-pdf.ts', 'scripts/_sample-papers.ts'].includes(path),
  fflate: (path) => path === 'formats/qr-zip.ts',
  'csv-parse': (path) => path === 'formats/csv-reader.ts',
  'tar-stream': (path) => path === 'storage/backup/archive.ts',
  '@hyzyla/pdfium': (path) => path === 'storage/pdf.ts',
  'bidi-js': (path) => path === 'formats/pdf-text.ts',
  sharp: (path) => path === 'storage/images.ts',
  '@fastify/busboy': (path) => path === 'storage/uploads.ts',
  jose: (path) => path === 'actions/accounts/google.ts',
  '@formatjs/icu-messageformat-parser': (path) => path === 'locales/compile.ts',
  hono: knowsRequests,
  '@hono/zod-openapi': knowsRequests,
  '@hono/node-server': knowsRequests,
  nodemailer: (path) => path.startsWith('mail/'),
  'web-push': (path) => path === 'mail/channels/push.ts',
  kysely: (path) => path.startsWith('db/'),
  'better-sqlite3': (path) => path.startsWith('db/sqlite/') || path === 'db/lock.ts',
  pg: (path) => path.startsWith('db/postgres/'),
  'react-dom/server': (path) => ['routes/_http/render.tsx', 'islands/_island.tsx'].includes(path),
}

/** Actions and the rooms below them have no requests. */
function knowsRequests(path: string): boolean {
  return ['routes', 'app', 'server', 'scripts'].includes(roomOf(path))
}

export function findArrows(sources: Source[]): string[] {
  const inRooms = sources.filter(({ path }) => path.match(/\.tsx?$/) && roomOf(path) in MAY_IMPORT)
  return [...inRooms.flatMap(findInFile), ...findCycles(inRooms)]
}

function findInFile(source: Source): string[] {
  const { path } = source
  return importsOf(source).flatMap((each) => {
    const refusal = refusalOf(path, each)
    return refusal ? [`${path}: ${refusal} (${each.specifier})`] : []
  })
}

function refusalOf(path: string, { specifier, isType }: Import): string | undefined {
  const room = roomOf(path)
  if (specifier.startsWith('.')) return 'imports by a relative path'
  if (!specifier.startsWith('#')) return refusalOfPackage(path, specifier)
  const target = specifier.slice(1)
  const targetRoom = roomOf(target)
  const allowed = [
    ...(MAY_IMPORT[room] ?? []),
    ...(isType ? (MAY_IMPORT_TYPES[room] ?? []) : []),
    ...(MAY_USE_PLUMBING.includes(room) && PLUMBING.test(target) ? ['routes'] : []),
  ]
  if (!allowed.includes(targetRoom)) return `${room} may not import ${targetRoom}`
  return refusalOfPages(path, target)
}

/** The two pages of admins, which share the panels in `routes/_admin`. */
const ADMIN_PAGES = ['routes/admin/', 'routes/admin-dashboard/']

/** Shared code is an action or in `routes/_http`. */
function refusalOfPages(path: string, target: string): string | undefined {
  const [one, other] = [path, target].map((each) => ADMIN_PAGES.find((it) => each.startsWith(it)))
  if (one && other && one !== other) return 'the panels of both admin pages are in routes/_admin'
  const [from, to] = [halfOf(path), halfOf(target)]
  if (path.startsWith('routes/_http/') && to) return `routes/_http may not import ${to}`
  return from && to && from !== to ? `${from} may not import ${to}` : undefined
}

/** Pages and the API are separate; both may use `routes/_http`. */
function halfOf(path: string): string | undefined {
  if (!path.startsWith('routes/') || path.startsWith('routes/_http/')) return undefined
  return path.startsWith('routes/api/') ? 'the API' : 'a page'
}

function refusalOfPackage(path: string, specifier: string): string | undefined {
  const door = Object.keys(DOORS).find((name) => isOrIsIn(specifier, name))
  if (door && !DOORS[door]?.(path)) return `${door} is imported outside of its place`
  const safe = BROWSER_SAFE[roomOf(path)]
  if (safe && !safe.includes(specifier) && path !== NOT_FOR_BROWSERS)
    return `${roomOf(path)} runs in browsers too`
  return undefined
}

const isOrIsIn = (specifier: string, name: string) =>
  specifier === name || specifier.startsWith(`${name}/`)

/** Backups are a room inside `storage`, because they need both the database and the files. */
function roomOf(path: string): string {
  if (path.startsWith('storage/backup/')) return 'backup'
  return path.includes('/') ? (path.split('/')[0] ?? '') : path.replace(/\.\w+$/, '')
}

/** Each import cycle once, as the list of its files. */
export function findCycles(sources: Source[]): string[] {
  const graph = new Map(sources.map((source) => [source.path, targetsOf(source)]))
  const done = new Set<string>()
  const findings: string[] = []
  const visit = (path: string, trail: string[]) => {
    if (trail.includes(path)) {
      findings.push(`cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`)
    } else if (!done.has(path)) {
      for (const target of graph.get(path) ?? []) visit(target, [...trail, path])
      done.add(path)
    }
  }
  for (const path of graph.keys()) visit(path, [])
  return findings
}

function targetsOf(source: Source): string[] {
  const ours = importsOf(source).filter(({ specifier }) => specifier.startsWith('#'))
  return ours.map(({ specifier }) => specifier.slice(1))
}
