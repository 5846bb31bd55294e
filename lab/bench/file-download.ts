import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { upload } from './phones/upload.ts'
import { copyDatabase, readPaths, startDriveQr } from './scan-page.ts'
import { findFreePort, waitFor } from './support/processes.ts'
import { median, type Row } from './support/report.ts'
import { findTool } from './support/tools.ts'
import { makeForm, makePdf, openUploader } from './uploads.ts'

const ROUNDS = 3
const DOWNLOADS = 20
const AT_ONCE = 4

/** A document of 10 MB, compared with the same file from nginx. */
export async function benchFileDownload(seeded: string, work: string): Promise<Row[]> {
  const program = findTool('nginx', 'File download')
  if (!program) return []
  const nginx = await startNginx(program, join(work, 'nginx'))
  const database = copyDatabase(seeded, work, 'download')
  const server = await startDriveQr(database, readPaths(seeded)[0] ?? '')
  try {
    const { file_url } = await upload(await openUploader(server), makeForm(makePdf(), 'a.pdf'))
    const ours: number[] = []
    const theirs: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      ours.push(await megabytesPerSecond(server.url + file_url))
      theirs.push(await megabytesPerSecond(`${nginx.url}/file.pdf`))
    }
    return [toRow(median(ours.slice(1)), median(theirs.slice(1)))]
  } finally {
    await Promise.all([server.stop(), nginx.stop()])
  }
}

function toRow(measured: number, limit: number): Row {
  return {
    what: `A document of 10 MB, ${AT_ONCE} readers ÷ nginx`,
    measured: `${measured.toFixed(0)} MB a second`,
    limit: `${limit.toFixed(0)} MB a second`,
    ratio: measured / limit,
    budget: undefined,
  }
}

async function megabytesPerSecond(url: string): Promise<number> {
  const startedAt = performance.now()
  let bytes = 0
  let left = DOWNLOADS
  const readers = Array.from({ length: AT_ONCE }, async () => {
    while (left-- > 0) bytes += await download(url)
  })
  await Promise.all(readers)
  return bytes / 1e6 / ((performance.now() - startedAt) / 1000)
}

function download(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`))
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      answer.on('end', () => resolve(bytes)).on('error', reject)
    }).on('error', reject)
  })
}

/** On the same core as DriveQR, with one process too. */
async function startNginx(program: string, folder: string) {
  const port = await findFreePort()
  mkdirSync(folder)
  writeFileSync(join(folder, 'file.pdf'), makePdf())
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit;
    events {}
    http {
      access_log off; sendfile on; client_body_temp_path ${folder}/body;
      server { listen 127.0.0.1:${port}; root ${folder}; }
    }`,
  )
  const child = spawn('taskset', ['-c', '0', program, '-c', config], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await waitFor(`${url}/file.pdf`, child)
  const stop = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { url, stop }
}
