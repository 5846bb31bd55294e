import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

export const BOUNDARY = 'driveqr-bench'
const PIECE_BYTES = 16 * 1024

export type UploadTo = { url: string; token: string; qr_id: string }
export type Stored = { id: string; file_url: string }

/** Sends a form of `makeForm`, as fast as it is taken, or at a pace. */
export function upload(
  { url, token, qr_id }: UploadTo,
  form: Buffer,
  bytesPerMs = Number.POSITIVE_INFINITY,
): Promise<Stored> {
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
    write(sent, form, bytesPerMs).catch(reject)
  })
}

async function write(sent: ClientRequest, form: Buffer, bytesPerMs: number): Promise<void> {
  const startedAt = performance.now()
  for (let at = 0; at < form.length; at += PIECE_BYTES) {
    const early = startedAt + at / bytesPerMs - performance.now()
    if (early > 1) await sleep(early)
    if (!sent.write(form.subarray(at, at + PIECE_BYTES))) await once(sent, 'drain')
  }
  sent.end()
}
