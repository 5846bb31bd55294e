import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { SocketLimits } from '#server/sockets.ts'
import { openConversations } from '#tests/support/conversations.ts'
import { serve } from '#tests/support/sockets.ts'
import { filesIn, photoForm, picture } from '#tests/support/uploads.ts'

const MB = 1024 * 1024

/** The application behind sockets, with all their guards. */
async function openServer(limits: SocketLimits = {}) {
  const opened = await openConversations()
  const { port } = await serve(opened.app.fetch, limits)
  return { ...opened, port, url: `http://127.0.0.1:${port}` }
}

async function listen(url: string, bearerToken?: string) {
  const leave = new AbortController()
  const headers: HeadersInit = bearerToken ? { Authorization: `Bearer ${bearerToken}` } : {}
  const answer = await fetch(url, { headers, signal: leave.signal })
  let received = ''
  let hasEnded = false
  const reading = (async () => {
    for await (const piece of answer.body ?? []) received += new TextDecoder().decode(piece)
    hasEnded = true
  })()
  reading.catch(() => undefined)
  return { answer, received: () => received, hasEnded: () => hasEnded, leave: () => leave.abort() }
}

test('events go through a socket with the headers of every answer, until the client leaves', {
  tags: 'slow',
}, async () => {
  const { url, owner, begin, call, deps } = await openServer()
  const { id, token } = await begin()
  const own = await listen(`${url}/api/conversations/events`, owner.bearerToken)
  const finders = await listen(`${url}/c/${token}/events?messages=1&status=open`)
  for (const { answer } of [own, finders]) {
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/event-stream'])
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(answer.headers.get('X-Request-Id')).toMatch(/\w/)
    expect(answer.headers.get('X-Hono-Already-Sent')).toBeNull()
  }
  await call('POST', `/${id}/messages`, { json: { text: 'Hi' } })
  await expect.poll(finders.received).toContain('data: changed\n\n')
  await expect.poll(own.received).toContain(`"conversation_id":"${id}","unread_count":0}`)
  expect(deps.conversationWatch.count()).toBe(2)
  own.leave()
  await expect.poll(() => deps.conversationWatch.count()).toBe(1)
  deps.conversationWatch.stop()
  await expect.poll(finders.hasEnded).toBe(true)
})

test('an event stream that is refused is a plain answer', async () => {
  const { url } = await openServer()
  const answer = await fetch(`${url}/c/none/events`)
  expect(answer.status).toBe(404)
  expect(await answer.text()).not.toContain('data:')
  expect((await fetch(`${url}/api/conversations/events`)).status).toBe(401)
})

test('a request for the headers of events alone opens no stream, and the next request is answered', async () => {
  const { port, begin, deps } = await openServer()
  const { token } = await begin()
  const socket = connect(port, '127.0.0.1')
  const next = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  socket.write(`HEAD /c/${token}/events HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const [head] = await once(socket, 'data')
  expect(String(head)).toContain('text/event-stream')
  socket.write(next)
  expect(await text(socket)).toContain('{"status":"ok"}')
  expect(deps.conversationWatch.count()).toBe(0)
})

test('a client that leaves before its stream is ready leaves none', async () => {
  const { port, begin, deps } = await openServer()
  const { token } = await begin()
  const { conversationWatch } = deps
  const socket = connect(port, '127.0.0.1')
  let wereOpen = 0
  deps.conversationWatch = {
    ...conversationWatch,
    open: async (watcher) => {
      const stream = await conversationWatch.open(watcher)
      socket.destroy()
      wereOpen = conversationWatch.count()
      await new Promise((resolve) => setTimeout(resolve, 50))
      return stream
    },
  }
  socket.write(`GET /c/${token}/events HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await expect.poll(() => [wereOpen, conversationWatch.count()]).toEqual([1, 0])
})

test('a client that takes nothing of its events is left', async () => {
  const { port, owner, deps, db } = await openServer()
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.pause()
  const head = `GET /api/conversations/events HTTP/1.1\r\nHost: localhost\r\n`
  socket.write(`${head}Authorization: Bearer ${owner.bearerToken}\r\n\r\n`)
  await expect.poll(() => deps.conversationWatch.count()).toBe(1)
  const row = {
    account_id: owner.id,
    concerns_finder: 0 as const,
    changed_at: deps.clock().toISOString(),
  }
  // More than the buffers of the kernel take.
  const writing = setInterval(() => {
    const rows = Array.from({ length: 4_000 }, () => ({
      ...row,
      conversation_id: Math.random().toString(36).repeat(40),
    }))
    void db.insertInto('conversation_changes').values(rows).execute()
  }, 500)
  await expect.poll(() => deps.conversationWatch.count(), { timeout: 40_000 }).toBe(0)
  clearInterval(writing)
  socket.destroy()
})

test('a body of 100 MB is refused without being kept, and the server goes on', async () => {
  const { port, qr_id, dataDir, send, pageToken } = await openServer()
  const asked = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: `/api/scan/${qr_id}/messages`,
    headers: {
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': 100 * MB,
    },
  })
  asked.on('error', () => undefined)
  const answered = once(asked, 'response')
  const field = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  asked.write(field('reason', 'damage') + field('page_token', pageToken()))
  asked.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n')
  const piece = Buffer.alloc(MB)
  const sending = setInterval(() => asked.write(piece), 10)
  const [response] = await answered
  clearInterval(sending)
  asked.destroy()
  expect([response.statusCode, JSON.parse(await text(response).catch(() => '{}'))]).toEqual([
    413,
    { detail: 'Image is larger than 15 MB' },
  ])
  expect(filesIn({ dataDir })).toEqual({ stored: [], incoming: [] })
  expect((await send()).status).toBe(201)
})

const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const PHOTO_PART = '--b\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
const MULTIPART = 'multipart/form-data; boundary=b'

test.each(['Content-Length: 9000', 'Transfer-Encoding: chunked'])(
  'a message that hardly comes is not waited for, and leaves nothing (%s)',
  { tags: 'slow' },
  async (length) => {
    const { port, url, qr_id, db, dataDir, pageToken } = await openServer({ bodyMs: 300 })
    const token = pageToken()
    const forms = [
      [
        '/api',
        'messages',
        'application/json',
        `{"reason":"found","page_token":"${token}","text":"`,
      ],
      [
        '',
        'message',
        'application/x-www-form-urlencoded',
        `reason=found&page_token=${token}&text=`,
      ],
      ...(['/api', ''] as const).map((under) => {
        const begun = part('reason', 'found') + part('page_token', token) + PHOTO_PART
        return [under, under ? 'messages' : 'message', MULTIPART, begun]
      }),
    ]
    const isChunked = length.includes('chunked')
    const inChunk = (piece: string) =>
      isChunked ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece
    for (const [under, name, type, begun = ''] of forms) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      const head = `POST ${under}/scan/${qr_id}/${name} HTTP/1.1\r\nHost: localhost\r\n`
      socket.write(`${head}Content-Type: ${type}\r\n${length}\r\n\r\n${inChunk(begun)}`)
      const dripping = setInterval(() => socket.write(inChunk('a')), 50)
      await expect.poll(() => socket.resume().closed).toBe(true)
      clearInterval(dripping)
    }
    expect(await db.selectFrom('conversations').selectAll().execute()).toEqual([])
    await expect.poll(() => filesIn({ dataDir })).toEqual({ stored: [], incoming: [] })
    const body = photoForm(await picture(), { reason: 'damage', page_token: token })
    const sent = await fetch(`${url}/api/scan/${qr_id}/messages`, { method: 'POST', body })
    expect(sent.status).toBe(201)
  },
)

test('a message without a photo is taken while two photos of the address trickle in', {
  tags: 'slow',
}, async () => {
  const { port, url, qr_id, dataDir, pageToken } = await openServer()
  const trickling = [1, 2].map(() => {
    const asked = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: `/scan/${qr_id}/message`,
      headers: { 'Content-Type': MULTIPART, 'Content-Length': 4 * MB },
    })
    asked.on('error', () => undefined)
    asked.write(`${part('reason', 'damage')}${PHOTO_PART}xxxx`)
    return asked
  })
  // Fast enough to stay, however long this machine takes for the rest.
  const piece = Buffer.alloc(8 * 1024, 'x')
  const dripping = setInterval(() => trickling.map((asked) => asked.write(piece)), 200)
  onTestFinished(() => clearInterval(dripping))
  const photo = await picture()
  const send = async (file: Uint8Array | null) => {
    const body = photoForm(file, { reason: 'found', text: 'Keys', page_token: pageToken() })
    const sent = await fetch(`${url}/scan/${qr_id}/message`, {
      method: 'POST',
      body,
      redirect: 'manual',
    })
    return { status: sent.status, html: await sent.text() }
  }
  await expect.poll(() => filesIn({ dataDir }).incoming).toHaveLength(2)
  const refused = await send(photo)
  expect([refused.status, refused.html.includes('>Keys</textarea>')]).toEqual([429, true])
  expect((await send(null)).status).toBe(303)
  clearInterval(dripping)
  for (const asked of trickling) asked.destroy()
  await expect.poll(async () => (await send(photo)).status).toBe(303)
})

test('a photo that trickles is refused with the typed values kept, and leaves nothing', {
  tags: 'slow',
}, async () => {
  const { port, qr_id, db, dataDir, pageToken } = await openServer()
  const asked = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: `/scan/${qr_id}/message`,
    headers: { 'Content-Type': MULTIPART, 'Content-Length': 4 * MB },
  })
  asked.on('error', () => undefined)
  const answered = once(asked, 'response')
  asked.write(part('reason', 'damage') + part('text', 'It is on the left'))
  asked.write(part('page_token', pageToken()) + PHOTO_PART)
  const dripping = setInterval(() => asked.write('x'), 200)
  const [response] = await answered
  clearInterval(dripping)
  const html = await text(response)
  asked.destroy()
  expect(response.statusCode).toBe(400)
  expect(html).toContain('The upload was too slow. Try again on a faster connection.')
  expect(html).toContain('>It is on the left</textarea>')
  expect(await db.selectFrom('conversations').selectAll().execute()).toEqual([])
  await expect.poll(() => filesIn({ dataDir })).toEqual({ stored: [], incoming: [] })
})

test('JSON of more than 64 KB is refused', async () => {
  const { send } = await openServer()
  const { status, body } = await send({ text: 'x'.repeat(70_000) })
  expect([status, body.detail]).toEqual([413, 'The request is larger than 64 KB'])
})
