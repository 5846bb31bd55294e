import { expect, test } from 'vitest'
import { expectAsWritten, openUncounted, readSections } from '#tests/support/authorisation.ts'
import { answerTo } from '#tests/support/principals.ts'

const isOfCalls = (title: string) => title.startsWith('Calls: ')
const sections = readSections().filter(({ title }) => isOfCalls(title))

test.each(sections)('$title are answered as docs/authorisation says', expectAsWritten)

test('the table has every route of the application, and no other', async () => {
  const { app } = await openUncounted()
  const routes = app.routes.filter(({ method, path }) => method !== 'ALL' && path !== '/assets/*')
  const calls = routes.map(({ method, path }) =>
    path.startsWith('/api/')
      ? `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`
      : `${method} ${path}`,
  )
  const written = readSections().flatMap(({ rows }) => rows.map(({ call }) => call))
  expect(written.toSorted()).toEqual([...new Set(calls)].toSorted())
})

test('a caller that may do what it may not would be noticed', async () => {
  const app = await openUncounted()
  expect(await answerTo(app, 'moderator', 'GET /api/admin/users')).toBe('403')
  expect(await answerTo(app, 'admin', 'GET /api/admin/users')).toBe('200')
})
