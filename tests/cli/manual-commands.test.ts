// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished } from 'vitest'
import { addAdminMessage } from '#db/admin/admin-messages.ts'
import { COMMAND_LINE } from '#db/admin/audit-events.ts'
import { createPageReport } from '#db/conversations/page-reports.ts'
import { NOW, openCommandLine } from '#tests/cli/support.ts'
import { insertCode } from '#tests/support/codes.ts'
import { testOnDisk } from '#tests/support/database.ts'
import { isRun, listBlocks, reachesOutside } from '#tests/support/manual-blocks.ts'
import { findPrograms } from '#tests/support/programs.ts'
import { launch } from '#tests/support/server.ts'

const PASSWORD = 'correct horse'
const SERVER = /http:\/\/(?:localhost|127\.0\.0\.1|10\.0\.0\.11):3000/g
const METRICS_TOKEN = 'the-value-of-METRICS_TOKEN'

/** The accounts that a page takes for granted. */
const ACCOUNTS: Record<string, string[]> = {
  'docs/codes-to-print.md': ['you@example.in', 'fleet@example.in'],
  'docs/command-line.md': ['typed@example.in'],
}
const WEBHOOK = {
  WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'Yk3v1Jm0c2sXh8qB',
  timestamp: '1795168800',
}

/** `npm` of the manual, by the built programs; a server of `npm start` ends when it serves. */
const NPM = `#!/bin/bash
[ /dev/stdin -ef /dev/null ] && exec < password.txt
if [ "$1" = start ]; then
  rm -f started.log
  PORT=0 node "$SERVER_PROGRAM" > started.log & server=$!
  until grep -qs '"listening"' started.log; do kill -0 $server || exit 1; sleep 0.1; done
  kill $server && wait $server
  exit
fi
while [ "$1" != -- ]; do shift; done
shift
exec node "$COMMAND_LINE" "$@"
`
/** A placeholder of the manual for a key, and the call that makes one. */
const API_KEY = 'dqk_…'
const NEW_KEY = `$(curl -s $api/api-keys -H "Authorization: Bearer $token" --json '{"name":"a"}' | field key)`
/** Fails where a call is refused. */
const CURL = `#!/bin/bash
PATH=\${PATH#*:} exec curl --fail-with-body "$@"
`

/** The first block of the API's pages signs in, and the others go on from there. */
const signIn = () => blocksOf('docs/api/README.md')[0] ?? ''

function blocksOf(page: string): string[] {
  const [, blocks = []] = listBlocks().find(([path]) => path === page) ?? []
  const run = blocks.filter(isRun)
  const outside = run.find(reachesOutside)
  if (outside) throw new Error(`It would change this machine: ${outside.text}`)
  return run.map((block) => block.text)
}

/** Makes a folder with the accounts and files that the commands of a page need. */
async function openFolder(page: string) {
  const { dataDir, addAccount, run, withDatabase } = openCommandLine()
  for (const email of ACCOUNTS[page] ?? []) {
    await addAccount({ email, email_verified_at: page.includes('line') ? null : NOW.toISOString() })
  }
  if (page === 'docs/codes-to-print.md') await run(['admin', 'grant', 'you@example.in'])
  if (page === 'docs/moderation.md') await addReport(await addAccount(), withDatabase)
  if (page === 'docs/command-line.md') {
    const typed = { title: 'Closed', content: 'On Sundays' }
    await withDatabase(({ db }) =>
      addAdminMessage(db, typed, COMMAND_LINE, NOW, '7CiaLyF-4c6r0CQM'),
    )
  }
  const work = dirname(dataDir)
  const programs = join(work, 'bin')
  mkdirSync(programs)
  writeFileSync(join(programs, 'npm'), NPM, { mode: 0o755 })
  writeFileSync(join(programs, 'curl'), CURL, { mode: 0o755 })
  mkdirSync(join(work, 'usb'))
  symlinkSync(join(work, 'usb/driveqr.tar'), join(work, 'driveqr.tar'))
  writeFileSync(join(work, 'password.txt'), `${PASSWORD}\n`)
  writeFileSync(join(work, 'fleet.csv'), 'owner_name,contact_phone\nRavi Menon,9876543210\n')
  writeFileSync(join(work, 'body.json'), '{"type":"message"}')
  return { work, dataDir, programs }
}

type Given = Awaited<ReturnType<ReturnType<typeof openCommandLine>['addAccount']>>

async function addReport(
  { id }: Given,
  withDatabase: ReturnType<typeof openCommandLine>['withDatabase'],
): Promise<void> {
  await withDatabase(async ({ db }) => {
    const { qr_id } = await insertCode(db, id)
    await createPageReport(db, qr_id, { reason: 'spam', text: null }, NOW, 'Zr3n7qk2c9h4tz')
  })
}

async function serve(dataDir: string): Promise<string> {
  const { server: program } = await findPrograms()
  const env = { METRICS_TOKEN, PLANS: 'off', RATE_LIMITS: 'off' }
  const server = await launch({ dataDir, program, env })
  onTestFinished(async () => {
    server.kill('SIGTERM')
    await server.ended
  })
  if (!(await server.serves())) throw new Error(server.output())
  return server.url
}

/** Runs the blocks of a page in one shell, each from the folder of the installation. */
async function runPage(page: string) {
  const { work, dataDir, programs } = await openFolder(page)
  const isAboutApi = page.startsWith('docs/api/')
  const blocks = [
    ...(isAboutApi && !page.endsWith('README.md') ? [signIn()] : []),
    ...blocksOf(page),
  ]
  const told = blocks.map((block) => `cd "${work}"\n${block}`).join('\n')
  const url = SERVER.test(told) ? await serve(dataDir) : ''
  const script = told
    .replaceAll(SERVER, url)
    .replaceAll('/mnt/usb', join(work, 'usb'))
    .replaceAll('/tmp/drill', join(work, 'drill'))
    .replaceAll(API_KEY, () => NEW_KEY)
    .replaceAll('driveqr-….tar', 'driveqr-*.tar')
  const { server, commandLine } = await findPrograms()
  const shell = spawn('bash', ['-xeuo', 'pipefail', '-c', script], {
    cwd: work,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: [programs, dirname(process.execPath), process.env.PATH].join(':'),
      DATA_DIR: dataDir,
      PUBLIC_URL: 'https://keys.example.in',
      SERVER_PROGRAM: server,
      COMMAND_LINE: commandLine,
      ...WEBHOOK,
    },
  })
  const [out, err, [code]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'close'),
  ])
  return { code, out, err }
}

describe('the commands of the manual', () => {
  const pages = listBlocks().filter(([, blocks]) => blocks.some(isRun))

  testOnDisk.each(pages.map(([page]) => page))('of %s run as they are written', async (page) => {
    const { code, out, err } = await runPage(page)
    expect({ code, said: code === 0 ? '' : `${out.slice(-1000)}\n${err.slice(-3000)}` }).toEqual({
      code: 0,
      said: '',
    })
  })
})
