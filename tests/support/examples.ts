import type { ApiDocument } from '#routes/api/_openapi-types.ts'
import type { TestApp } from '#tests/support/app.ts'

type Examples = Map<string, object>

let examples: Examples | undefined

/** Returns the examples of the JSON bodies that calls require, as the API's description has them, by call. */
export function examplesIn({ app }: Pick<TestApp, 'app'>): Examples {
  examples ??= readExamples(
    app.getOpenAPI31Document({
      openapi: '3.1.0',
      info: { title: '', version: '' },
    }) as unknown as ApiDocument,
  )
  return examples
}

function readExamples({ paths }: ApiDocument): Examples {
  const found: Examples = new Map()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const example = requestBody?.content['application/json']?.example
      if (example && requestBody?.required !== false) {
        found.set(`${method.toUpperCase()} ${path}`, example)
      }
    }
  }
  return found
}
