import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Ack, actUntil, newLedger } from '#lab/drills/_acts.ts'
import { audit } from '#lab/drills/_audit.ts'
import { count, type Drill, type Outcome } from '#lab/drills/_drill.ts'
import { end, type Folder, makeFolder, serve } from '#lab/drills/_folder.ts'

const BACKUPS = 5

/** Copies a data folder while a server writes to it, and restores the copy. */
type Keeping = {
  keep(dataDir: string, to: string): Promise<unknown>
  bringBack(from: string, dataDir: string): Promise<unknown>
}

export const backup: Drill = {
  name: 'backup',
  promise: 'A backup made while the server writes contains all writes acknowledged before it began',
  trial: (work) =>
    keepWhileWriting(work, {
      keep: (dataDir, to) => driveqr(dataDir, ['backup', to]),
      bringBack: (from, dataDir) => driveqr(dataDir, ['restore', from]),
    }),
  without: 'the command, by copying the files of the running server',
  control: (work) => keepWhileWriting(work, { keep: copyFile, bringBack: copyFile }),
}

async function keepWhileWriting(work: string, { keep, bringBack }: Keeping): Promise<Outcome> {
  const folder = await makeFolder(work)
  const server = await serve({ dataDir: folder.dataDir })
  const ledger = newLedger()
  const until = new AbortController()
  const writing = actUntil({ url: server.url, folder, ledger }, until.signal)
  const made: { file: string; before: Ack[] }[] = []
  try {
    for (let i = 0; i < BACKUPS; i++) {
      await sleep(300)
      const before = [...ledger.acks]
      const file = join(work, `backup-${i}.tar`)
      await keep(folder.dataDir, file)
      made.push({ file, before })
    }
  } finally {
    until.abort()
    await writing
    await end(server)
  }
  const found = { lost: 0, damage: 0, wrong: 0 }
  for (const { file, before } of made) {
    const dataDir = join(mkdtempSync(join(work, 'restored-')), 'data')
    await bringBack(file, dataDir)
    const { lost, damage } = audit(dataDir, before)
    found.lost += lost.length
    found.damage += damage.length
    found.wrong += Number(!(await answersAlike({ ...folder, dataDir }, before)))
  }
  const figure = [
    `${count(made.length, 'backup')} during ${count(ledger.acks.length, 'acknowledged write')}, each restored into an empty folder`,
    `${found.lost} lost, ${found.damage} damaged`,
    `${found.wrong} from which a server does not answer as before`,
  ].join('; ')
  return { figure, isKept: found.lost + found.damage + found.wrong === 0 }
}

/** Whether a server on the folder still answers with the newest code and file. */
async function answersAlike(folder: Folder, acks: Ack[]): Promise<boolean> {
  const server = await serve({ dataDir: folder.dataDir }).catch(() => undefined)
  if (!server) return false
  const code = acks.findLast(({ kind }) => kind === 'code')
  const upload = acks.findLast(({ kind }) => kind === 'upload')
  const paths = [
    ...(code?.kind === 'code' ? [`/scan/${code.qr_id}`] : []),
    ...(upload?.kind === 'upload' ? [upload.file_url] : []),
    '/api/qr/my-qrs',
  ]
  const headers = { Authorization: `Bearer ${folder.token}` }
  const answers = await Promise.all(paths.map((path) => fetch(server.url + path, { headers })))
  for (const answer of answers) await answer.arrayBuffer()
  await end(server)
  return answers.every(({ status }) => status === 200)
}

function driveqr(dataDir: string, args: string[]) {
  mkdirSync(dataDir, { recursive: true })
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
  return promisify(execFile)(process.execPath, ['dist/driveqr.js', ...args], { env })
}

/** Copies the database and the files, but neither the write-ahead log nor uploads in progress. */
async function copyFile(from: string, to: string): Promise<void> {
  const isPassing = (path: string) => /-(wal|shm)$|\/incoming\//.test(path)
  cpSync(from, to, { recursive: true, filter: (path) => !isPassing(path) })
}
