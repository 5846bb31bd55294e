import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { act, type Kind, type Ledger, newLedger } from '#lab/drills/_acts.ts'
import { audit } from '#lab/drills/_audit.ts'
import { count, type Drill, needsRoot, type Outcome } from '#lab/drills/_drill.ts'
import { end, type Folder, killHard, makeFolder, serve } from '#lab/drills/_folder.ts'
import { withMounted } from '#lab/drills/_mount.ts'
import { SERVER, withoutGuard } from '#lab/drills/_product.ts'

/** Room for an upload in addition to the 200 MB that uploads leave for the database. */
const DISK = ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs']
const ROUNDS_WHEN_FULL = 40

export const diskFull: Drill = {
  name: 'disk-full',
  promise:
    'A full disk refuses what it cannot store, loses nothing, and finders still get the page',
  obstacle: needsRoot,
  trial: (work) => withMounted(work, DISK, (disk) => fillDisk(disk, SERVER)),
  control: {
    without: 'serving the page of a scan that could not be counted',
    trial: async (work) => {
      const program = await countingOrNothing()
      return withMounted(work, DISK, (disk) => fillDisk(disk, program))
    },
  },
}

export const countingOrNothing = withoutGuard('counting-or-nothing', () => {
  const text = "'scan not counted')"
  return [{ file: 'routes/_http/scans/scans.ts', text, instead: `${text}\n    throw err` }]
})

async function fillDisk(disk: string, program: string): Promise<Outcome> {
  const folder = await makeFolder(disk)
  const server = await serve({ dataDir: folder.dataDir, program })
  try {
    const ledger = newLedger()
    const target = { url: server.url, folder, ledger }
    const all = async (kinds: Kind[]) => {
      for (const kind of kinds) await act(target, kind)
    }
    await all(['scan', 'edit', 'code', 'upload'])
    const upload = await uploadWhileFilling(server.url, folder, join(disk, 'filler'))
    for (let i = 0; i < ROUNDS_WHEN_FULL; i++) await all(['scan', 'edit', 'code', 'scan'])
    const pages = countAcked(ledger, 'scan')
    const refused = ledger.refused.splice(0)
    const unclear = refused.filter(({ detail }) => !detail.includes('Storage is full'))
    rmSync(join(disk, 'filler'))
    await all(['scan', 'edit', 'code', 'upload'])
    const uncounted = server.output().split('scan not counted').length - 1
    const { lost, damage } = audit(folder.dataDir, ledger.acks)
    const strays = readdirSync(join(folder.dataDir, 'files', 'incoming')).length
    const isClean = (await end(server)) === 0
    const truly =
      lost.length - Math.min(uncounted, lost.filter(({ kind }) => kind === 'scan').length)
    const figure = [
      `scan pages when full: ${pages} of ${2 * ROUNDS_WHEN_FULL + 1}`,
      `${count(refused.length, 'write')} refused (${unclear.length} without a reason)`,
      `the upload in progress ${upload}`,
      `${truly} lost, ${damage.length} damaged, ${strays} stray`,
      `after making room ${ledger.refused.length} refused`,
    ].join('; ')
    const isKept =
      pages === 2 * ROUNDS_WHEN_FULL + 1 &&
      refused.length > 0 &&
      unclear.length + truly + damage.length + strays + ledger.refused.length === 0 &&
      upload === 503 &&
      isClean
    return { figure, isKept }
  } finally {
    if (server.child.exitCode === null) await killHard(server)
  }
}

const countAcked = ({ acks }: Ledger, kind: Kind) => acks.filter((ack) => ack.kind === kind).length

/** The status of an upload that began while there was room for it. */
async function uploadWhileFilling(
  url: string,
  { token, codes }: Folder,
  filler: string,
): Promise<number> {
  const before = '--b\r\nContent-Disposition: form-data; name="document_type"\r\n\r\ninsurance\r\n'
  const file =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n'
  const body = new ReadableStream<Uint8Array>({
    async start(sink) {
      sink.enqueue(Buffer.from(before + file))
      await sleep(300)
      fill(filler)
      for (let i = 0; i < 50; i++) sink.enqueue(Buffer.alloc(100_000, 'x'))
      sink.enqueue(Buffer.from('\n%%EOF\r\n--b--\r\n'))
      sink.close()
    },
  })
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'multipart/form-data; boundary=b',
  }
  const sent = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  const answer = await fetch(`${url}/api/documents/upload/${codes[0]}`, sent)
  await answer.text()
  return answer.status
}

function fill(path: string): void {
  const file = openSync(path, 'w')
  for (const size of [1_000_000, 4_096]) {
    const block = Buffer.alloc(size)
    try {
      for (;;) writeSync(file, block)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  closeSync(file)
}
