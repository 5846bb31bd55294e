/** The program that `phones.ts` starts. */
import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { BOUNDARY, type Stored, type UploadTo } from './phones.ts'

/**
 * Limits a phone to 50 Mbit/s, which is more than most phones send. Twenty phones then fill a gigabit line;
 * without the limit, loopback is ten times as fast.
 */
const BYTES_PER_MS = 6_250
const PIECE_BYTES = 16 * 1024

const [bytes] = (await once(process, 'message')) as [Uint8Array]
const form = Buffer.from(bytes)
process.on('message', async (to: UploadTo[]) => {
  process.send?.(await Promise.all(to.map(upload)))
})
process.send?.('ready')

function upload({ url, token, qr_id }: UploadTo): Promise<Stored> {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
    'Content-Length': form.length,
  }
  const path = `${url}/api/documents/upload/${qr_id}`
  return new Promise((resolve, reject) => {
    const sent = request(path, { method: 'POST', headers }, async (answer) => {
      const body = await text(answer)
      if (answer.statusCode === 201) resolve(JSON.parse(body))
      else reject(new Error(`An upload was answered ${answer.statusCode}: ${body}`))
    })
    sent.on('error', reject)
    write(sent).catch(reject)
  })
}

async function write(sent: ClientRequest): Promise<void> {
  const startedAt = performance.now()
  for (let at = 0; at < form.length; at += PIECE_BYTES) {
    const early = startedAt + at / BYTES_PER_MS - performance.now()
    if (early > 1) await sleep(early)
    if (!sent.write(form.subarray(at, at + PIECE_BYTES))) await once(sent, 'drain')
  }
  sent.end()
}
