import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'

test('every call that the guide names is one that the server describes', async () => {
  const { ask } = await openTestApp()
  const { paths } = (await (await ask('GET', '/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, unknown>>
  }
  const guide = readdirSync('docs/api')
    .map((page) => readFileSync(`docs/api/${page}`, 'utf8'))
    .join('\n')
  const named = [...guide.matchAll(/(GET|POST|PUT|PATCH|DELETE) (\/api\/[^\s`]+)/g)]
  expect(named.length).toBeGreaterThan(3)
  for (const [call, method = '', path = ''] of named) {
    expect(paths[path]?.[method.toLowerCase()], call).toBeDefined()
  }
  for (const [, path = ''] of guide.matchAll(/\$api(\/[a-z/-]+)(?=[\s"?])/g)) {
    expect(Object.keys(paths), path).toContain(`/api${path}`)
  }
})
