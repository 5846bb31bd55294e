import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { RATE_LIMITS } from '#domain/rate-limits.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { serve } from '#tests/support/sockets.ts'
import { filesIn, PDF } from '#tests/support/uploads.ts'

const MB = 1024 * 1024
const START = Buffer.from(
  '--b\r\nContent-Disposition: form-data; name="document_type"\r\n\r\npuc\r\n' +
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-',
)
const END = Buffer.from('\r\n--b--\r\n')

/** The application behind a socket, where a body is Node's own stream and clients can leave. */
async function openServer() {
  const app = await openTestApp()
  const owner = await app.signUp()
  const { qr_id } = await insertCode(app.db, owner.id)
  const { fetch } = app.app
  const { port } = await serve(fetch)
  const start = (headers: Record<string, string> = {}, path = `documents/upload/${qr_id}`) => {
    const asked = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: `/api/${path}`,
      headers: {
        Authorization: `Bearer ${owner.bearerToken}`,
        'Content-Type': 'multipart/form-data; boundary=b',
        ...headers,
      },
    })
    // A server that has answered may close before all is sent.
    asked.on('error', () => undefined)
    return asked
  }
  const answerTo = async (asked: ClientRequest) => {
    const [response] = await once(asked, 'response')
    const { statusCode: status, headers } = response
    const retryAfter = headers['retry-after']
    const answer = { status, body: JSON.parse(await text(response)) }
    return retryAfter ? { ...answer, retryAfter } : answer
  }
  const rows = () => app.db.selectFrom('documents').select('id').execute()
  return { ...app, start, answerTo, rows }
}

test('a document comes through a socket as it was sent', { tags: 'slow' }, async () => {
  const { start, answerTo, rows, ask, dataDir } = await openServer()
  const asked = start()
  const answer = answerTo(asked)
  for (const piece of [START, Buffer.alloc(MB, 'x'), PDF, END]) {
    asked.write(piece)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  asked.end()
  const { status, body } = await answer
  expect([status, body.file_size]).toEqual([201, 5 + PDF.length + MB])
  expect(await rows()).toHaveLength(1)
  expect(filesIn({ dataDir })).toMatchObject({ stored: [body.file_path], incoming: [] })
  expect((await ask('GET', body.file_url)).status).toBe(404)
})

test('a client that leaves half-way leaves nothing', async () => {
  const { start, rows, dataDir, logged } = await openServer()
  const asked = start({ 'Content-Length': String(9 * MB) })
  asked.write(START)
  asked.write(Buffer.alloc(4 * MB))
  await vi.waitFor(() => expect(filesIn({ dataDir }).incoming).toHaveLength(1), 15_000)
  asked.destroy()
  await vi.waitFor(() => expect(filesIn({ dataDir })).toEqual({ stored: [], incoming: [] }), 15_000)
  expect(await rows()).toEqual([])
  expect(logged.filter((line) => line.includes('"level":50'))).toEqual([])
})

test('a client that sends too much is told so, with or without a Content-Length', async () => {
  const { start, answerTo, rows, dataDir } = await openServer()
  const tooLarge = { status: 413, body: { detail: 'File is larger than 10 MB' } }
  const honest = start({ 'Content-Length': String(40 * MB) })
  honest.write(START)
  expect(await answerTo(honest)).toEqual(tooLarge)
  const silent = start({ 'Transfer-Encoding': 'chunked' })
  const answer = answerTo(silent)
  silent.write(START)
  for (let i = 0; i < 12; i++) silent.write(Buffer.alloc(MB))
  expect(await answer).toEqual(tooLarge)
  expect(await rows()).toEqual([])
  await vi.waitFor(() => expect(filesIn({ dataDir })).toEqual({ stored: [], incoming: [] }), 15_000)
})

/** The ten seconds that a client may lag take one. */
const FASTER = 10
const TRICKLES = 24
const HOURLY = RATE_LIMITS.upload.count

test('two dozen trickling uploads of one account hold two places, are ended, and count as two', {
  tags: 'slow',
}, async () => {
  const { start, answerTo, signUp, db, dataDir } = await openServer()
  const other = await signUp()
  const { qr_id } = await insertCode(db, other.id)
  const trickling = Array.from({ length: TRICKLES }, () => start())
  const answers = trickling.map(answerTo)
  for (const asked of trickling) asked.write(START)
  // Fast enough to stay, however long this machine takes until they may be ended.
  let drop: string | Buffer = Buffer.alloc(2048, 'x')
  const dripping = setInterval(() => trickling.map((asked) => asked.write(drop)), 500 / FASTER)

  await vi.waitFor(() => expect(filesIn({ dataDir }).incoming).toHaveLength(2), 15_000)
  const theirs = start(
    { Authorization: `Bearer ${other.bearerToken}` },
    `documents/upload/${qr_id}`,
  )
  theirs.end(Buffer.concat([START, PDF, END]))
  expect((await answerTo(theirs)).status).toBe(201)
  expect(filesIn({ dataDir }).incoming).toHaveLength(2)

  drop = 'x'
  const now = performance.now.bind(performance)
  const begin = now()
  const clock = vi.spyOn(performance, 'now')
  clock.mockImplementation(() => begin + (now() - begin) * FASTER)
  onTestFinished(() => clock.mockRestore())
  const answered = await Promise.all(answers)
  clearInterval(dripping)
  const refused = answered.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(TRICKLES - 2)
  const detail = 'Two files can be sent at a time. Try again in 5 seconds.'
  expect(refused[0]).toEqual({ status: 429, body: { detail, retry_after: 5 }, retryAfter: '5' })
  const slow = 'The upload was too slow. Try again on a faster connection.'
  const cut = answered.filter(({ status }) => status !== 429)
  expect(cut).toEqual(Array(2).fill({ status: 400, body: { detail: slow } }))
  await vi.waitFor(() => expect(filesIn({ dataDir }).incoming).toEqual([]), 15_000)

  const send = async () => {
    const asked = start()
    asked.end(Buffer.concat([START, PDF, END]))
    return (await answerTo(asked)).status
  }
  const statuses: number[] = []
  for (let n = 0; n < HOURLY; n++) statuses.push(await send())
  expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  expect(statuses.indexOf(429)).toBe(HOURLY - 2)
})
