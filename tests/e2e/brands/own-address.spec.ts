import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { insertAccount } from '#db/accounts/accounts.ts'
import { openDatabaseOf, type RunningServer } from '#tests/e2e/support/server.ts'
import { expect, test } from '#tests/e2e/support/test.ts'
import { insertCode } from '#tests/support/codes.ts'
import { freePort } from '#tests/support/server.ts'

const PUBLIC_URL = 'https://driveqr.example'
const OWN = 'tags.neelrath.example'

test.use({ serverEnv: { PUBLIC_URL, TRUST_PROXY: '1' } })
test.skip(!existsSync('/usr/bin/caddy'), 'Caddy is missing')

/** The shipped configuration with certificates of Caddy's own, because these names are nobody's. */
async function startCaddy(work: string, upstream: string) {
  const [port, plain] = [await freePort(), await freePort()]
  const options = `\tadmin off\n\tskip_install_trust\n\tlocal_certs\n\thttps_port ${port}\n\thttp_port ${plain}\n`
  const config = join(work, 'Caddyfile')
  const shipped = readFileSync('deploy/Caddyfile', 'utf8')
  writeFileSync(config, shipped.replace(/^\{\n/m, `{\n${options}`))
  const folders = { HOME: work, XDG_DATA_HOME: work, XDG_CONFIG_HOME: work }
  const place = { DOMAIN: new URL(PUBLIC_URL).host, UPSTREAM: new URL(upstream).host }
  const child: ChildProcess = spawn(
    'caddy',
    ['run', '--adapter', 'caddyfile', '--config', config],
    {
      env: { PATH: process.env.PATH, ...folders, ...place },
      stdio: 'ignore',
    },
  )
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { port, stop }
}

type Answered = { status: number; names: string; html: string }

/** Asks for a page as a browser does that the name leads to this machine. */
function ask(port: number, host: string, path: string, headers = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, servername: host, rejectUnauthorized: false }
    const asked = request({ ...options, headers: { Host: host, ...headers }, agent: false })
    asked.on('error', reject)
    asked.on('response', async (answer) => {
      const socket = answer.socket as TLSSocket
      const names = socket.getPeerCertificate().subjectaltname ?? ''
      let html = ''
      for await (const piece of answer.setEncoding('utf8')) html += piece
      resolve({ status: answer.statusCode ?? 0, names, html })
    })
    asked.end()
  })
}

async function giveAddress(server: RunningServer) {
  const { db, close } = await openDatabaseOf(server)
  const plan = { subscription_plan: 'enterprise' } as const
  const someone = { name: 'Neel', email: 'neel@example.in', password_hash: null }
  const { id } = await insertAccount(db, { ...someone, ...plan }, new Date())
  const { qr_id } = await insertCode(db, id)
  const at = new Date().toISOString()
  const row = { account_id: id, domain: OWN, token: 't', created_at: at, asked_at: at }
  await db
    .insertInto('brand_domains')
    .values({ ...row, verified_at: at })
    .execute()
  await close()
  return qr_id
}

test('Caddy gets certificates for own addresses alone, and passes their names on', async ({
  server,
}) => {
  const qrId = await giveAddress(server)
  const work = mkdtempSync(join(tmpdir(), 'driveqr-caddy-'))
  const { port, stop } = await startCaddy(work, server.url)
  try {
    const own = () => ask(port, OWN, `/scan/${qrId}`)
    await expect(async () => expect((await own()).status).toBe(200)).toPass()
    expect(await own()).toMatchObject({ status: 200, names: `DNS:${OWN}` })
    expect((await ask(port, OWN, '/dashboard')).status).toBe(404)
    expect((await ask(port, 'driveqr.example', '/login')).status).toBe(200)
    await expect(ask(port, 'tags.other.example', `/scan/${qrId}`)).rejects.toThrow(/alert/)
    const check = `/internal/tls-check?domain=${OWN}`
    expect((await ask(port, 'driveqr.example', check)).status).toBe(404)
    expect((await ask(port, OWN, check)).status).toBe(404)
    const inside = await fetch(server.url + check)
    expect(inside.status).toBe(200)
  } finally {
    await stop()
    rmSync(work, { recursive: true, force: true })
  }
})
