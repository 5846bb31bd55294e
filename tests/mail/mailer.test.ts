import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '#config.ts'
import { createMailer } from '#mail/mailer.ts'
import { deadMailServer, openMailServer } from '#tests/support/mail-server.ts'
import { headersOf, partOf, portOf, textOf } from '#tests/support/smtp.ts'

const mailerTo = (SMTP_URL: string, env: Record<string, string> = {}) =>
  createMailer(readConfig({ SMTP_URL, PUBLIC_URL: 'https://keys.example.in', ...env }))

const mail = {
  to: 'asha@example.in',
  subject: 'Hello',
  text: 'One line\nand another\n',
  html: '<p>One line and another</p>\n',
}

describe('a mail', () => {
  test('arrives as it was written, with its sender and recipient', async () => {
    const { url, received } = await openMailServer()
    await mailerTo(url).send(mail)
    expect(received).toHaveLength(1)
    const [arrived] = received
    if (!arrived) throw new Error('nothing arrived')
    expect(arrived.from).toBe('no-reply@keys.example.in')
    expect(arrived.to).toEqual(['asha@example.in'])
    expect(headersOf(arrived)).toMatchObject({
      from: 'DriveQR <no-reply@keys.example.in>',
      to: 'asha@example.in',
      subject: 'Hello',
      'auto-submitted': 'auto-generated',
      'content-type': expect.stringMatching(/^multipart\/alternative; /),
      date: expect.any(String),
      'message-id': expect.stringMatching(/^<[^<>\s]+@keys\.example\.in>$/),
    })
    expect(textOf(arrived)).toBe('One line\nand another\n')
    expect(partOf(arrived, 'text/html')).toBe(mail.html)
  })

  test.each([
    ['Keys <keys@example.in>', 'Keys <keys@example.in>'],
    ['keys@example.in', 'keys@example.in'],
    ['<keys@example.in>', 'keys@example.in'],
    ['"Keys, Pune" <keys@example.in>', '"Keys, Pune" <keys@example.in>'],
    ['Keys: Pune; all <keys@example.in>', '"Keys: Pune; all" <keys@example.in>'],
  ])('from MAIL_FROM=%s comes from that one mailbox', async (MAIL_FROM, header) => {
    const { url, received } = await openMailServer()
    await createMailer(readConfig({ SMTP_URL: url, MAIL_FROM })).send(mail)
    const [arrived] = received
    if (!arrived) throw new Error('nothing arrived')
    expect({ envelope: arrived.from, header: headersOf(arrived).from }).toEqual({
      envelope: 'keys@example.in',
      header,
    })
  })

  test.each([
    'asha@example.in, ravi@example.in',
    'asha@example.in; ravi@example.in',
    'Asha <ravi@example.in>',
    'friends: ravi@example.in, asha@example.in;',
    'asha@example.in\r\nBcc: ravi@example.in',
    'asha@example.in>\r\nRCPT TO:<ravi@example.in',
  ])('to %j never reaches a second address or one hidden in a name', async (to) => {
    const { url, received } = await openMailServer()
    await mailerTo(url)
      .send({ ...mail, to })
      .catch(() => undefined)
    expect(received.flatMap((each) => each.to)).not.toContain('ravi@example.in')
    for (const arrived of received) expect(headersOf(arrived).bcc).toBeUndefined()
  })

  test.each<Record<string, string>>([
    {},
    { MAIL_FROM: 'hello@keys.example.in' },
    { MAIL_FROM: '"Keys, and rings" <hello@keys.example.in>' },
  ])('of a brand comes by its name, from the address of the service (%j)', async (env) => {
    const { url, received } = await openMailServer()
    await mailerTo(url, env).send({ ...mail, sender: 'Verma Motors' })
    const [arrived] = received
    if (!arrived) throw new Error('nothing arrived')
    const address = env.MAIL_FROM ? 'hello@keys.example.in' : 'no-reply@keys.example.in'
    expect(arrived.from).toBe(address)
    expect(headersOf(arrived).from).toBe(`Verma Motors <${address}>`)
  })

  test('brings the logo of a brand along, because mail programs show no data: URLs', async () => {
    const { url, received } = await openMailServer()
    const logo = Buffer.from('a small picture').toString('base64')
    await mailerTo(url).send({ ...mail, html: `<img src="data:image/png;base64,${logo}" alt="">` })
    const [{ raw } = { raw: '' }] = received
    expect(raw).not.toContain('data:image')
    const [, id] = /src=(?:3D)?"cid:([^"]+)"/.exec(raw.replaceAll('=\r\n', '')) ?? []
    expect(raw).toContain(`Content-ID: <${id}>`)
    expect(raw).toMatch(/Content-Type: image\/png/)
    expect(raw).toContain(logo)
  })

  test('with a line break in its subject gets no header from it', async () => {
    const { url, received } = await openMailServer()
    await mailerTo(url).send({ ...mail, subject: 'Hello\r\nX-Planted: yes\r\n\r\nBody' })
    const [arrived] = received
    if (!arrived) throw new Error('nothing arrived')
    expect(headersOf(arrived)['x-planted']).toBeUndefined()
    expect(textOf(arrived)).toBe(mail.text)
  })
})

describe('sending fails, and says so,', () => {
  test('when the mail server does not answer', async () => {
    await expect(mailerTo(await deadMailServer()).send(mail)).rejects.toThrow(/ECONNREFUSED/)
  })

  test('when the mail server goes on saying that it goes on', async () => {
    const { timeout } = AbortSignal
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 100))
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.write('220 welcome\r\n')
      socket.once('data', () => {
        const timer = setInterval(() => socket.write('250-and one more\r\n'), 20)
        socket.on('close', () => clearInterval(timer))
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      vi.restoreAllMocks()
      server.close()
    })
    await expect(mailerTo(`smtp://127.0.0.1:${portOf(server)}`).send(mail)).rejects.toThrow()
  })

  test('when the mail server refuses the address', async () => {
    const { url, received } = await openMailServer({ refuse: 'no such mailbox' })
    await expect(mailerTo(url).send(mail)).rejects.toThrow(/no such mailbox/)
    expect(received).toEqual([])
  })

  test('when no mail server is configured', async () => {
    const mailer = createMailer(readConfig({}))
    expect(mailer.configured).toBe(false)
    await expect(mailer.send(mail)).rejects.toThrow('Email is not configured')
  })
})
