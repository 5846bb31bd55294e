import { describe, expect, test } from 'vitest'
import { findArrows } from '#tests/house/arrows.ts'
import { findHabits } from '#tests/house/habits.ts'
import { importsOf, readSources } from '#tests/house/sources.ts'

const sources = readSources()

test('every import follows the arrows, and none goes round in a circle', () => {
  expect(findArrows(sources)).toEqual([])
})

test('environment, clock, rendering and SQL stay in their places, and no folder is crowded', () => {
  expect(findHabits(sources)).toEqual([])
})

/** The build leaves it out: `the build compiles the texts` in `locales.test.ts`. */
const LEFT_OUT = 'locales/compile.ts'

/** The packages that a program loads before its first line runs. */
function packagesAtStart(program: string): string[] {
  const packages = new Set<string>()
  const seen = new Set<string>()
  const visit = (path: string) => {
    const source = sources.find((each) => each.path === path)
    if (!source || seen.has(path) || path === LEFT_OUT) return
    seen.add(path)
    for (const { specifier, isType, isLater } of importsOf(source)) {
      if (isType || isLater || specifier.startsWith('node:')) continue
      if (specifier.startsWith('#')) visit(specifier.slice(1))
      else packages.add(specifier)
    }
  }
  visit(program)
  return [...packages].sort()
}

test('a start loads only what a scan page needs; all else delays the first finder', () => {
  expect(packagesAtStart('server.ts')).toEqual([
    '@hono/node-server',
    'better-sqlite3',
    'hono',
    'hono/cookie',
    'hono/factory',
    'hono/http-exception',
    'oslo/crypto',
    'pino',
    'react',
    'react-dom/server',
  ])
})

test('the checks read the whole project', () => {
  const paths = sources.map(({ path }) => path)
  expect(paths).toContain('domain/error.ts')
  expect(paths).toContain('scripts/bootstrap.mjs')
  expect(paths.filter((path) => path.includes('node_modules'))).toEqual([])
})

describe('the arrows refuse', () => {
  const refused = [
    [
      'domain/plans/promo.ts',
      "import { randomUUID } from 'node:crypto'",
      'domain runs in browsers',
    ],
    ['domain/plans/promo.ts', "import { z } from 'zod'", 'domain runs in browsers'],
    [
      'domain/plans/promo.ts',
      "import type { Db } from '#db/client.ts'",
      'domain may not import db',
    ],
    [
      'actions/plans/decisions.ts',
      "import type { AppContext } from '#routes/_http/context.ts'",
      'actions may not import routes',
    ],
    ['actions/mail.ts', "import type { Context } from 'hono'", 'hono is imported outside'],
    ['db/qr.ts', "import { mail } from '#mail/mailer.ts'", 'db may not import mail'],
    ['db/qr.ts', "import { readConfig } from '#config.ts'", 'db may not import config'],
    ['components/card.tsx', "import { Db } from '#db/client.ts'", 'components may not import db'],
    ['islands/menu.tsx', "const a = await import('#db/client.ts')", 'islands may not import db'],
    ['islands/menu.tsx', "export * from '#config.ts'", 'islands may not import config'],
    ['islands/menu.tsx', "import 'node:fs'", 'islands runs in browsers'],
    ['routes/scan/index.tsx', "import { createApp } from '#app.ts'", 'routes may not import app'],
    ['routes/scan/index.tsx', "import { sql } from 'kysely'", 'kysely is imported outside'],
    ['routes/scan/index.tsx', "import {\n  a,\n  b,\n} from '../db/qr.ts'", 'a relative path'],
    [
      'scripts/seed.ts',
      "import { scan } from '#routes/scan/index.tsx'",
      'scripts may not import routes',
    ],
    ['server.ts', "import { load } from '#lab/bench/support/load.ts'", 'server may not import lab'],
    ['app.ts', "import { Db } from '#db/client.ts'", 'app may not import db'],
    ['routes/api/accounts/auth.ts', "import { Lucia } from 'lucia'", 'lucia is imported outside'],
    [
      'db/accounts/accounts.ts',
      "import { Argon2id } from 'oslo/password'",
      'oslo is imported outside',
    ],
    [
      'routes/dashboard/codes/qr.ts',
      "import { params } from '#routes/api/codes/_qr-schema.ts'",
      'a page may not import the API',
    ],
    [
      'routes/_http/context.ts',
      "import { qr } from '#routes/api/codes/qr.ts'",
      'routes/_http may not import the API',
    ],
    [
      'routes/api/scans/scan.ts',
      "import { scan } from '#routes/scan/index.tsx'",
      'the API may not import a page',
    ],
    [
      'routes/admin/support.ts',
      "import { supportForms } from '#routes/admin-dashboard/support.ts'",
      'both admin pages',
    ],
    ['routes/index.tsx', "import { renderToString } from 'react-dom/server'", 'react-dom/server'],
  ] as const

  test.each(refused)('%s: %s', (path, text, finding) => {
    expect(findArrows([{ path, text }])).toEqual([expect.stringContaining(finding)])
  })

  test('a circle, and name the files along it', () => {
    const circle = [
      { path: 'db/a.ts', text: "import { b } from '#db/b.ts'" },
      { path: 'db/b.ts', text: "import { c } from '#db/c.ts'" },
      { path: 'db/c.ts', text: "import type { A } from '#db/a.ts'" },
    ]
    expect(findArrows(circle)).toEqual(['cycle: db/a.ts → db/b.ts → db/c.ts → db/a.ts'])
  })
})

describe('the habits refuse', () => {
  // Written in pieces, so that this file passes.
  const elsewhere = `/${'wo'}${'rk'}/main`
  const registry = `https://registry.${'np'}${'mjs'}.org`
  const beginning = `db.${'transaction'}().execute(work)`
  const refused = [
    [
      'components/a.tsx',
      "const text = 'Ask them to set UPI_ID.'",
      'names a setting of the operator',
    ],
    ['routes/scan/index.tsx', 'const port = process.env.PORT', 'process.env'],
    ['db/qr.ts', 'const now = new Date()', 'the clock'],
    ['domain/plans/promo.ts', 'return Date.now() > end', 'the clock'],
    ['routes/scan/index.tsx', 'const html = renderToStaticMarkup(page)', 'renders to a string'],
    ['mail/channels/ntfy.ts', 'await fetch(target.url)', 'makes requests'],
    ['mail/channels/ntfy.ts', "import { get } from 'node:http'", 'makes requests'],
    ['mail/channels/ntfy.ts', "import * as https from 'node:https'", 'makes requests'],
    ['islands/menu.ts', 'const isPhone = innerWidth < 500', 'the size or kind of the screen'],
    ['islands/menu.ts', "matchMedia('(hover: none)').matches", 'the size or kind of the screen'],
    ['routes/scan/index.tsx', "db.selectFrom('scans').selectAll()", 'writes SQL outside of db'],
    ['actions/codes/a.ts', 'await sql`select 1`.execute(db)', 'writes SQL outside of db'],
    ['db/qr.ts', 'return sql.raw(text)', 'writes SQL that'],
    ['db/qr.ts', 'let db: Kysely<any>', 'writes SQL that'],
    ['db/qr.ts', beginning, 'begins a transaction'],
    ['domain/lib/qr.ts', '', 'a folder named lib'],
    ['docs/settings.md', `see ${elsewhere}`, 'a path of one machine'],
    ['docs/settings.md', `from ${registry}`, 'a package registry'],
    ['db/qr.ts', `// see ${'#'}42`, 'an issue'],
  ] as const

  test.each(refused)('%s: %s', (path, text, finding) => {
    expect(findHabits([{ path, text }])).toEqual([expect.stringContaining(finding)])
  })

  test('a folder with too many files, unless it is one of tests', () => {
    const files = (folder: string, count: number) =>
      Array.from({ length: count }, (_, n) => ({ path: `${folder}/${n}.ts`, text: '' }))
    expect(findHabits([...files('components/ui', 28), ...files('tests/support', 29)])).toEqual([])
    expect(findHabits(files('components/ui', 29))).toEqual([
      'components/ui: 29 files, more than 28',
    ])
  })

  test('a long file of routes', () => {
    const file = (path: string, lines: number) => ({ path, text: 'x()\n'.repeat(lines) })
    expect(findHabits([file('routes/police.tsx', 150), file('db/qr.ts', 151)])).toEqual([])
    expect(findHabits([file('routes/police.tsx', 151)])).toEqual([
      'routes/police.tsx: 151 lines, more than 150',
    ])
  })
})

describe('the checks leave alone', () => {
  const allowed = [
    ['db/qr.ts', "import type { Config } from '#config.ts'"],
    ['db/accounts/sessions.ts', "import { Lucia } from 'lucia'"],
    ['server.ts', "import { loadAssets } from '#routes/_http/assets.ts'\nconst now = new Date()"],
    ['domain/date.ts', "// not new Date(), and no import from 'zod'\nconst day = new Date(time)"],
    ['config.ts', 'readConfig(process.env)'],
    ['islands/menu.tsx', "import { useState } from 'react'"],
    ['components/home.tsx', "const link = 'https://example.in/home' // see https://example.in"],
    ['server/http-server.ts', "import { createServer } from 'node:http'\napp.fetch(request)"],
    ['islands/menu.tsx', "const answer = await fetch('/api/me')"],
    ['components/swatch.tsx', "const ink = '#123456'"],
  ] as const

  test.each(allowed)('%s: %s', (path, text) => {
    expect([...findArrows([{ path, text }]), ...findHabits([{ path, text }])]).toEqual([])
  })

  test('code that stands in a template', () => {
    const text = "const program = `import './other.ts'`\nimport { b } from '#domain/b.ts'"
    const specifiers = importsOf({ path: 'db/a.ts', text }).map(({ specifier }) => specifier)
    expect(specifiers).toEqual(['#domain/b.ts'])
  })
})
