import { expect, test } from 'vitest'
import { begin } from '#routes/api/_pieces.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** Opens a body of these pieces, after which it breaks off, and notes whether its source was closed. */
function open(...texts: string[]) {
  const source = { isClosed: false }
  async function* read() {
    try {
      for (const text of texts) yield bytes(text)
      throw new Error('The connection is lost')
    } finally {
      source.isClosed = true
    }
  }
  return { source, pieces: read() }
}

test('an error before the first piece comes before there is an answer', async () => {
  const { source, pieces } = open()
  await expect(begin(pieces)).rejects.toThrow('The connection is lost')
  expect(source.isClosed).toBe(true)
})

test('a later error breaks off the answer, with every piece in its place', async () => {
  const reader = (await begin(open('[1', ',2').pieces)).getReader()
  expect((await reader.read()).value).toEqual(bytes('[1'))
  expect((await reader.read()).value).toEqual(bytes(',2'))
  await expect(reader.read()).rejects.toThrow('The connection is lost')
})

test('an answer without pieces is empty', async () => {
  async function* none(): AsyncGenerator<Uint8Array> {}
  expect(await new Response(await begin(none())).text()).toBe('')
})

test('a client that leaves before anything is sent leaves nothing open', async () => {
  const { source, pieces } = open('[1', ',2')
  await (await begin(pieces)).cancel()
  expect(source.isClosed).toBe(true)
})
