import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createGuard, type Guard, type Ways } from '#mail/guarded-request.ts'
import { isPublic } from '#mail/public-addresses.ts'
import { CA_CERTIFICATE, HOOK_CERTIFICATE } from '#tests/support/certificate.ts'
import {
  INTERNAL_HOST,
  openReceiver,
  openSpeaker,
  openTlsReceiver,
  PUBLIC_HOST,
  testGuard,
} from '#tests/support/receiver.ts'

const REFUSED = { result: 'failed', why: 'That address cannot be used' }
const UNANSWERED = { result: 'failed', why: 'No answer' }

const post = (guard: Guard, address: string, signal = new AbortController().signal) =>
  guard.post(address, { headers: {}, body: 'hello', signal })

/** Names as a name server of attackers could answer them. */
const NAMES: Record<string, string[]> = {
  'public.test': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  localhost: ['127.0.0.1', '::1'],
  'loopback.test': ['127.0.0.1'],
  'loopback6.test': ['::1'],
  'private.test': ['10.1.2.3'],
  'metadata.test': ['169.254.169.254'],
  'unspecified.test': ['0.0.0.0'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'link.test': ['fe80::1%lo'],
  'mixed.test': ['93.184.215.14', '127.0.0.1'],
  'mixed6.test': ['93.184.215.14', '::1'],
  'none.test': [],
}

/** The guard of the product, but for its name server. */
const realGuard = () =>
  createGuard(
    { allowPrivateTargets: false },
    {
      isAllowed: isPublic,
      limitMs: 5_000,
      resolve: async (name) => {
        const found = NAMES[name]
        if (!found) throw new Error(`queryA ENOTFOUND ${name}`)
        return found
      },
    },
  )

/** Forms of an address of this machine; P is the port of a server there. */
const LOOPBACK = [
  'http://127.0.0.1:P/',
  'http://127.0.0.1:P',
  'HTTP://127.0.0.1:P/',
  ' http://127.0.0.1:P/ ',
  'http:127.0.0.1:P/',
  'http:/127.0.0.1:P/',
  'http:///127.0.0.1:P/',
  'http:\\\\127.0.0.1:P\\',
  'ht\ntp://127.0.\t0.1:P/',
  'http://127.1:P/',
  'http://127.0.1:P/',
  'http://2130706433:P/',
  'http://0x7f000001:P/',
  'http://0X7F.0.0.1:P/',
  'http://0x7f.0x0.0x0.0x1:P/',
  'http://0177.0.0.1:P/',
  'http://0177.0.0.01:P/',
  'http://00000177.0.0.1:P/',
  'http://017700000001:P/',
  'http://0177.0x0.1:P/',
  'http://127.0.0.1.:P/',
  'http://127.1.:P/',
  'http://127.0.0.2:P/',
  'http://127.255.255.254:P/',
  'http://0.0.0.0:P/',
  'http://0:P/',
  'http://0x0:P/',
  'http://127%2e0%2e0%2e1:P/',
  'http://%31%32%37.0.0.1:P/',
  'http://１２７.０.０.１:P/',
  'http://127。0。0。1:P/',
  'http://①②⑦.0.0.1:P/',
  'http://0ⓧ7f.1:P/',
  'http://[::1]:P/',
  'http://[0:0:0:0:0:0:0:1]:P/',
  'http://[::ffff:127.0.0.1]:P/',
  'http://[::ffff:7f00:1]:P/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]:P/',
  'http://[::FFFF:127.0.0.1]:P/',
  'http://[::]:P/',
  'http://localhost:P/',
  'http://LOCALHOST:P/',
  'http://localhost.:P/',
  'http://ⓛocalhost:P/',
  'http://ｌｏｃａｌｈｏｓｔ:P/',
  'http://local\u00adhost:P/',
  'http://loc%61lhost:P/',
  'http://public.test:80@127.0.0.1:P/',
  'http://public.test@127.0.0.1:P/',
  'http://public.test%23@127.0.0.1:P/',
  'http://:@127.0.0.1:P/',
  'http://127.0.0.1:P/#@public.test/',
  'http://127.0.0.1:P/?@public.test/',
  'http://127.0.0.1:P\\@public.test/',
]

const at = (form: string, port: number) => form.replace(':P', `:${port}`)

/** Other addresses that are refused, without a server behind them. */
const OTHERS = [
  '',
  'public.test',
  '//public.test/',
  '/scan/ABC',
  'http://',
  'http://./',
  'http://..test/',
  'http://public..test/',
  'http://127.0.0.1../',
  'http://256.0.0.1/',
  'http://127.0.0.1.5/',
  'http://0x100000000/',
  'http://4294967296/',
  'http://1.2.3.08/',
  'http://pub lic.test/',
  'http://public.test:99999/',
  'http://public.test:-1/',
  `http://${'a'.repeat(64)}.test/`,
  `http://${'a.'.repeat(130)}test/`,
  `http://public.test/${'a'.repeat(2_000)}`,
  'ftp://public.test/',
  'file:///etc/passwd',
  'gopher://public.test/',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'blob:https://public.test/1',
  'ws://public.test/',
  'unix:/run/docker.sock',
  'http://unix:/run/docker.sock:/info',
  'https://user:password@public.test/',
  'https://user@public.test/',
  'https://:password@public.test/',
  'http://10.0.0.1/',
  'http://10.1/',
  'http://012.0.0.1/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://0xc0a80101/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://192.0.2.1/',
  'http://198.18.0.1/',
  'http://203.0.113.9/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::ffff:93.184.215.14]/',
  'http://[::127.0.0.1]/',
  'http://[::93.184.215.14]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::5db8:d70e]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:5db8:d70e::1]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'http://[fe80::1]/',
  'http://[fe80::1%25lo]/',
  'http://[fe80::1%lo]/',
  'http://[::1%25lo]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
  'http://[100::1]/',
  'http://[v1.fe80::1]/',
  'http://[127.0.0.1]/',
  'http://loopback.test/',
  'http://loopback6.test/',
  'http://private.test/',
  'http://metadata.test/',
  'http://unspecified.test/',
  'http://mapped.test/',
  'http://nat64.test/',
  'http://link.test/',
  'http://mixed.test/',
  'http://mixed6.test/',
  'http://none.test/',
  'http://unknown.test/',
  'http://lócalhost.test/',
  'http://public.test:0/',
  'http://public.test:22/',
  'http://public.test:25/',
  'http://public.test:587/',
  'http://public.test:6000/',
  'https://public.test:465/',
]

describe('an address that users give is refused', () => {
  test(`in each of ${LOOPBACK.length + OTHERS.length} hostile forms, when it is saved and when it is sent to`, async () => {
    const { port, received } = await openReceiver(undefined, '::')
    const guard = realGuard()
    const taken: string[] = []
    for (const form of [...LOOPBACK.map((form) => at(form, port)), ...OTHERS]) {
      const saved = await guard.check(form).catch((error) => error)
      const sent = await post(guard, form)
      const isRefused = saved.kind === 'invalid' && saved.message === REFUSED.why
      if (!isRefused || JSON.stringify(sent) !== JSON.stringify(REFUSED)) taken.push(form)
    }
    expect(taken).toEqual([])
    expect(received).toEqual([])
  })

  test('which would reach this machine in most of these forms, if they were not', async () => {
    const { port, received } = await openReceiver(undefined, '::')
    const guard = createGuard({ allowPrivateTargets: true })
    const unreached: string[] = []
    for (const form of LOOPBACK) {
      const { result } = await post(guard, at(form, port))
      if (result !== 'delivered') unreached.push(form)
    }
    // Credentials are refused in home networks too.
    expect(unreached).toEqual(
      LOOPBACK.filter((form) => form.includes('test') && form.includes('@127')),
    )
    expect(received).toHaveLength(LOOPBACK.length - unreached.length)
  })

  test('unless it is public, by its number or its name', async () => {
    const guard = realGuard()
    const checked = await Promise.all(
      [
        'https://public.test/topic',
        'http://PUBLIC.test:8080/a?b=c',
        'https://public.test./topic#part',
        'http://93.184.215.14/',
        'http://0x5db8d70e/',
        'http://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:2586/x',
      ].map((address) => guard.check(address)),
    )
    expect(checked).toEqual([
      'https://public.test/topic',
      'http://public.test:8080/a?b=c',
      'https://public.test/topic',
      'http://93.184.215.14/',
      'http://93.184.215.14/',
      'http://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:2586/x',
    ])
  })

  test('without encryption where that is asked for', async () => {
    const guard = realGuard()
    await expect(guard.check('http://public.test/', { httpsOnly: true })).rejects.toMatchObject({
      kind: 'invalid',
      message: 'That address cannot be used',
    })
    await expect(guard.check('https://public.test/', { httpsOnly: true })).resolves.toBe(
      'https://public.test/',
    )
  })

  test('by the guard of the product, and is not in a home network that allows it', async () => {
    const { url, received } = await openReceiver()
    const guard = createGuard({ allowPrivateTargets: false })
    expect(await post(guard, url)).toEqual(REFUSED)
    await expect(guard.check(url)).rejects.toThrow('That address cannot be used')
    await expect(guard.check('http://localhost:8080/')).rejects.toThrow(
      'That address cannot be used',
    )
    expect(received).toEqual([])

    const lifted = createGuard({ allowPrivateTargets: true })
    expect(await lifted.check(`${url}/topic`)).toBe(`${url}/topic`)
    expect(await lifted.check('http://localhost:8080/')).toBe('http://localhost:8080/')
    expect(await post(lifted, url)).toEqual({ result: 'delivered', status: 200 })
    await expect(lifted.check('http://no.such.name.invalid/')).rejects.toThrow('cannot be used')
    await expect(lifted.check('ftp://127.0.0.1/')).rejects.toThrow('cannot be used')
  })
})

describe('a name', () => {
  test('that stands for another address a moment later is asked once, and not followed there', async () => {
    const asked: string[] = []
    const answers = [[PUBLIC_HOST], [INTERNAL_HOST]]
    const guard = testGuard({
      resolve: async (name) => {
        asked.push(name)
        return answers[asked.length - 1] ?? []
      },
    })
    const outside = await openReceiver()
    const inside = await openReceiver(undefined, INTERNAL_HOST)
    const address = `http://rebind.test:${outside.port}/hook`
    expect(await post(guard, address)).toEqual({ result: 'delivered', status: 200 })
    expect(asked).toEqual(['rebind.test'])
    expect(await post(guard, `http://rebind.test:${inside.port}/hook`)).toEqual(REFUSED)
    expect(asked).toHaveLength(2)
    expect(outside.received.map(({ headers }) => headers.host)).toEqual([
      `rebind.test:${outside.port}`,
    ])
    expect(inside.received).toEqual([])
  })

  test('with several addresses is refused for one that is private, wherever it stands', async () => {
    const inside = await openReceiver(undefined, INTERNAL_HOST)
    for (const addresses of [
      [PUBLIC_HOST, INTERNAL_HOST],
      [INTERNAL_HOST, PUBLIC_HOST],
    ]) {
      const guard = testGuard({ resolve: async () => addresses })
      expect(await post(guard, `http://mixed.test:${inside.port}/`)).toEqual(REFUSED)
    }
    expect(inside.received).toEqual([])
  })

  test('with several addresses is reached at another one if the first does not answer', async () => {
    const { port, received } = await openReceiver(undefined, INTERNAL_HOST)
    const guard = testGuard({
      resolve: async () => [PUBLIC_HOST, INTERNAL_HOST],
      isAllowed: () => true,
    })
    expect(await post(guard, `http://two.test:${port}/`)).toMatchObject({ result: 'delivered' })
    expect(received).toHaveLength(1)
  })

  test('without an answer of its name server takes no longer than a request may', async () => {
    const resolve: Ways['resolve'] = (_name, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const guard = testGuard({ resolve, limitMs: 50 })
    expect(await post(guard, 'http://slow.test/')).toEqual(REFUSED)
    await expect(guard.check('http://slow.test/')).rejects.toThrow('That address cannot be used')
  })
})

describe('a request', () => {
  test('has exactly the headers and the body that it is given', async () => {
    const { url, port, received } = await openReceiver()
    const outcome = await testGuard().post(`${url}/hook/ä?a=b&c=%20#part`, {
      headers: { 'X-One': '1', 'Content-Type': 'text/plain' },
      body: 'नमस्ते',
      signal: new AbortController().signal,
    })
    expect(outcome).toEqual({ result: 'delivered', status: 200 })
    expect(received).toEqual([
      {
        method: 'POST',
        path: '/hook/%C3%A4?a=b&c=%20',
        headers: {
          'user-agent': 'DriveQR',
          'x-one': '1',
          'content-type': 'text/plain',
          'content-length': '18',
          host: `${PUBLIC_HOST}:${port}`,
          connection: 'close',
        },
        body: 'नमस्ते',
      },
    ])
  })

  test('has its bytes as they are', async () => {
    const { url, received } = await openReceiver()
    const body = Uint8Array.from([104, 195, 164])
    const { signal } = new AbortController()
    await testGuard().post(url, { headers: {}, body, signal })
    expect(received[0]?.body).toBe('hä')
    expect(received[0]?.headers['content-length']).toBe('3')
  })

  test.each([301, 302, 303, 307, 308])('follows no redirect (%i)', async (status) => {
    const inside = await openReceiver(undefined, INTERNAL_HOST)
    const outside = await openReceiver((response) =>
      response.writeHead(status, { Location: inside.url }).end(),
    )
    expect(await post(testGuard(), outside.url)).toEqual({
      result: 'failed',
      why: `Answered ${status}`,
      status,
    })
    expect(outside.received).toHaveLength(1)
    expect(inside.received).toEqual([])
  })

  test.each([200, 201, 202, 204])('that is answered %i is delivered', async (status) => {
    const { url } = await openReceiver((response) => response.writeHead(status).end())
    expect(await post(testGuard(), url)).toEqual({ result: 'delivered', status })
  })

  test('that is refused tells the status alone, and when to come again', async () => {
    const answers: [number, string | undefined, number | undefined][] = [
      [429, '120', 120],
      [503, 'Wed, 21 Oct 2026 07:28:00 GMT', undefined],
      [503, '-1', undefined],
      [500, '9'.repeat(30), undefined],
      [404, undefined, undefined],
      [300, undefined, undefined],
      [304, undefined, undefined],
    ]
    for (const [status, retryAfter, expected] of answers) {
      const { url } = await openReceiver((response) => {
        if (retryAfter) response.setHeader('Retry-After', retryAfter)
        response.writeHead(status, 'inner secret').end('inner secret')
      })
      const outcome = await post(testGuard(), url)
      expect(outcome).toMatchObject({ result: 'failed', why: `Answered ${status}`, status })
      expect('retryAfter' in outcome ? outcome.retryAfter : undefined).toBe(expected)
      expect(JSON.stringify(outcome)).not.toContain('secret')
    }
  })

  test('to nobody has no answer, and no other reason', async () => {
    // Others of these tests listen at the other addresses, at the same port too.
    const guard = testGuard({ isAllowed: () => true })
    for (const scheme of ['http', 'https']) {
      expect(await post(guard, `${scheme}://127.0.0.3:20123/`)).toEqual(UNANSWERED)
    }
  })

  test('ends when its caller says so', async () => {
    const { url, sockets } = await openSpeaker(() => undefined)
    const caller = new AbortController()
    const outcome = post(testGuard(), url, caller.signal)
    await expect.poll(() => sockets.size).toBe(1)
    caller.abort()
    expect(await outcome).toEqual(UNANSWERED)
    await expect.poll(() => sockets.size).toBe(0)
    const began = performance.now()
    expect(await post(testGuard(), url, caller.signal)).toEqual(UNANSWERED)
    expect(performance.now() - began).toBeLessThan(1_000)
  })
})

describe('a server', () => {
  const LIMIT_MS = 300
  const guard = () => testGuard({ limitMs: LIMIT_MS })
  const HEAD = 'HTTP/1.1 200 OK\r\n'

  /** Ends within the limit, and leaves no connection. */
  async function meets(
    outcome: object,
    speak: Parameters<typeof openSpeaker>[0],
    scheme = 'http',
  ): Promise<void> {
    const { port, sockets } = await openSpeaker(speak)
    const began = performance.now()
    expect(await post(guard(), `${scheme}://${PUBLIC_HOST}:${port}/`)).toEqual(outcome)
    expect(performance.now() - began).toBeLessThan(LIMIT_MS + 700)
    await expect.poll(() => sockets.size).toBe(0)
  }

  const DELIVERED = { result: 'delivered', status: 200 }

  test('that says nothing', () => meets(UNANSWERED, () => undefined))

  test('that says nothing when encryption should begin', () =>
    meets(UNANSWERED, () => undefined, 'https'))

  test('that speaks without encryption where it should not', () =>
    meets(UNANSWERED, (socket) => socket.end(`${HEAD}Content-Length: 0\r\n\r\n`), 'https'))

  test('that sends its headers byte by byte', () =>
    meets(UNANSWERED, (socket) => trickle(socket, `${HEAD}X-Long: ${'a'.repeat(1_000)}`)))

  test('that sends more headers than an answer has', () =>
    meets(UNANSWERED, (socket) => socket.write(`${HEAD}X-Long: ${'a'.repeat(20_000)}\r\n\r\n`)))

  test('that sends headers without end', () =>
    meets(UNANSWERED, (socket) => {
      socket.write(HEAD)
      pour(socket, 'X-More: 1\r\n'.repeat(100))
    }))

  test('that only says that it goes on', () =>
    meets(UNANSWERED, (socket) => pour(socket, 'HTTP/1.1 100 Continue\r\n\r\n')))

  test.each([
    ['interim answers', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'],
    ['empty lines', '\r\n'],
  ])('that sends %s without end is cut off long before the time is up', async (_what, words) => {
    const { url, sockets } = await openSpeaker((socket) => pour(socket, words.repeat(100)))
    expect(await post(testGuard({ limitMs: 600_000 }), url)).toEqual(UNANSWERED)
    await expect.poll(() => sockets.size).toBe(0)
  })

  test('that changes the protocol', () =>
    meets(UNANSWERED, (socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    ))

  test.each([
    'SSH-2.0-OpenSSH_9.6\r\n',
    '220 mail.example.in ESMTP\r\n',
    '+OK\r\n',
    '\0\0\0\0\0',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    'HTTP/1.1 99999 Odd\r\n\r\n',
  ])('that does not setLocale HTTP: %j', (words) =>
    meets(UNANSWERED, (socket) => socket.write(words)),
  )

  test('that hangs up', () => meets(UNANSWERED, (socket) => socket.end()))

  test('that hangs up in its headers', () =>
    meets(UNANSWERED, (socket) => {
      socket.once('data', () => socket.end(`${HEAD}Content-Type: text/pl`))
    }))

  // It has taken the delivery: to send it again would be twice.
  test('that sends its body byte by byte', () =>
    meets(DELIVERED, (socket) => {
      socket.write(`${HEAD}Content-Length: 1000\r\n\r\n`)
      trickle(socket, 'a'.repeat(1_000))
    }))

  test('that announces more than it sends', () =>
    meets(DELIVERED, (socket) => {
      socket.once('data', () => socket.end(`${HEAD}Content-Length: 1000\r\n\r\nabc`))
    }))

  test('that announces more than it sends, and waits', () =>
    meets(DELIVERED, (socket) => socket.write(`${HEAD}Content-Length: 1000\r\n\r\nabc`)))

  test('that sends more than it announces', () =>
    meets(DELIVERED, (socket) => socket.write(`${HEAD}Content-Length: 1\r\n\r\n${HEAD}\r\n`)))

  test('that sends a body without end', async () => {
    let sent = 0
    await meets(DELIVERED, (socket) => {
      socket.write(`${HEAD}\r\n`)
      pour(socket, 'a'.repeat(1_000), (bytes) => {
        sent += bytes
      })
    })
    // The kernel's buffers hold so much, and no more.
    expect(sent).toBeLessThan(20_000_000)
  })

  test('that sends pieces without end', () =>
    meets(DELIVERED, (socket) => {
      socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
      pour(socket, '1\r\na\r\n')
    }))

  test('that sends a few bytes which unpack to ten megabytes', async () => {
    const packed = gzipSync(Buffer.alloc(10_000_000))
    const before = process.memoryUsage().arrayBuffers
    await meets(DELIVERED, (socket) => {
      socket.write(`${HEAD}Content-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`)
      socket.write(packed)
    })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000)
  })

  test('that takes the request byte by byte, or not at all', async () => {
    const { url, sockets } = await openSpeaker((socket) => socket.pause())
    const body = new Uint8Array(50_000_000)
    const { signal } = new AbortController()
    expect(await guard().post(url, { headers: {}, body, signal })).toEqual(UNANSWERED)
    // Nobody reads there, so only its own end closes it.
    for (const socket of sockets) socket.resume()
    await expect.poll(() => sockets.size).toBe(0)
  })

  type Speaker = Parameters<Parameters<typeof openSpeaker>[0]>[0]

  function trickle(socket: Speaker, text: string): void {
    let at = 0
    const timer = setInterval(() => socket.write(text[at++] ?? 'a'), 10)
    socket.on('close', () => clearInterval(timer))
  }

  async function pour(socket: Speaker, text: string, count = (_bytes: number) => {}) {
    while (!socket.destroyed) {
      count(text.length)
      if (socket.write(text)) await new Promise(setImmediate)
      else await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined)
    }
  }
})

describe('a process with settings of its own', () => {
  /** Posts from another process, to which every name stands for `PUBLIC_HOST`. */
  async function postFrom(env: Record<string, string>, address: string): Promise<object> {
    const program = 'tests/support/guarded-poster.ts'
    const request = JSON.stringify({ address, addresses: [PUBLIC_HOST] })
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, [program, request], { env })
    return JSON.parse(stdout)
  }

  function authorityFile(): string {
    const folder = mkdtempSync(join(tmpdir(), 'driveqr-authority-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'authority.pem')
    writeFileSync(file, CA_CERTIFICATE)
    return file
  }

  test('tells an encrypted server the name that it is asked for', async () => {
    const { port, received, names } = await openTlsReceiver(HOOK_CERTIFICATE)
    const env = { NODE_EXTRA_CA_CERTS: authorityFile() }
    for (const name of ['hook.test', 'HOOK.test.']) {
      expect(await postFrom(env, `https://${name}:${port}/a`)).toEqual({
        result: 'delivered',
        status: 200,
      })
    }
    expect(names).toEqual(['hook.test', 'hook.test'])
    expect(received.map(({ headers }) => headers.host)).toEqual([
      `hook.test:${port}`,
      `hook.test:${port}`,
    ])
  })

  test('sends nothing to a server whose certificate is of another name, or of nobody', async () => {
    const { port, received } = await openTlsReceiver(HOOK_CERTIFICATE)
    const env = { NODE_EXTRA_CA_CERTS: authorityFile() }
    expect(await postFrom(env, `https://other.test:${port}/`)).toEqual(UNANSWERED)
    expect(await postFrom(env, `https://${PUBLIC_HOST}:${port}/`)).toEqual(UNANSWERED)
    expect(await postFrom({}, `https://hook.test:${port}/`)).toEqual(UNANSWERED)
    expect(received).toEqual([])
  })

  test('uses no proxy', async () => {
    const proxy = await openReceiver((response) => response.writeHead(418).end())
    const { port, received } = await openReceiver()
    const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy']
    const proxies = Object.fromEntries(variables.map((name) => [name, proxy.url]))
    const env = { ...proxies, NODE_USE_ENV_PROXY: '1' }
    expect(await postFrom(env, `http://hook.test:${port}/`)).toMatchObject({ status: 200 })
    expect(await postFrom(env, `https://hook.test:${port}/`)).toEqual(UNANSWERED)
    expect(received).toHaveLength(1)
    expect(proxy.received).toEqual([])
  })
})
