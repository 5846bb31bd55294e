import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Folder } from '#lab/drills/_folder.ts'
import { documentForm } from '#lab/drills/_uploads.ts'

/** A write or scan that the server has acknowledged. */
export type Ack = { requestId: string } & (
  | { kind: 'scan'; qr_id: string }
  | { kind: 'code'; qr_id: string }
  | { kind: 'edit'; qr_id: string; n: number }
  | { kind: 'upload'; id: string; file_url: string; sha256: string }
)
export type Kind = Ack['kind']

/** `refused` has the answers of 400 and more, `broken` the times of requests without an answer. */
export type Ledger = {
  acks: Ack[]
  refused: { kind: Kind; status: number; detail: string }[]
  broken: number[]
}

export const newLedger = (): Ledger => ({ acks: [], refused: [], broken: [] })

type Target = { url: string; folder: Folder; ledger: Ledger }

/** Half are scans, as in production. */
export const MIXED: Kind[] = ['scan', 'edit', 'scan', 'code', 'scan', 'upload']

let n = 0

/** Does one act and records it in the ledger; false when the server does not answer. */
export async function act(
  { url, folder, ledger }: Target,
  kind: Kind,
  client = 0,
): Promise<boolean> {
  const number = ++n
  const uploader = folder.uploaders[client % folder.uploaders.length]
  const { token, codes } = kind === 'upload' && uploader ? uploader : folder
  const { path, method, body, sha256 } = request(codes, kind, client, number)
  const headers = new Headers()
  if (kind !== 'scan') headers.set('Authorization', `Bearer ${token}`)
  if (typeof body === 'string') headers.set('Content-Type', 'application/json')
  const sentAt = performance.now()
  try {
    const answer = await fetch(url + path, { method, headers, body })
    const requestId = answer.headers.get('X-Request-Id') ?? ''
    const text = await answer.text()
    if (!answer.ok) ledger.refused.push({ kind, status: answer.status, detail: text.slice(0, 200) })
    else ledger.acks.push({ requestId, ...acked(kind, path, number, text, sha256) })
    return true
  } catch {
    ledger.broken.push(sentAt)
    return false
  }
}

function request(codes: string[], kind: Kind, client: number, number: number) {
  const own = codes[client % codes.length] ?? ''
  const any = codes[number % codes.length] ?? ''
  if (kind === 'scan') return { method: 'GET', path: `/scan/${any}` }
  if (kind === 'edit') {
    return {
      method: 'PUT',
      path: `/api/qr/${own}`,
      body: JSON.stringify({ public_message: String(number) }),
    }
  }
  if (kind === 'code') {
    const code = { owner_name: `Owner ${number}`, contact_phone: '9876543210' }
    return { method: 'POST', path: '/api/qr/create', body: JSON.stringify(code) }
  }
  const file = Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    randomBytes(3000),
    Buffer.from('\n%%EOF\n'),
  ])
  const body = documentForm(file, `${number}.pdf`)
  const sha256 = createHash('sha256').update(file).digest('hex')
  return { method: 'POST', path: `/api/documents/upload/${any}`, body, sha256 }
}

function acked(kind: Kind, path: string, number: number, text: string, sha256 = '') {
  const qr_id = path.slice(path.lastIndexOf('/') + 1)
  if (kind === 'scan') return { kind, qr_id }
  if (kind === 'edit') return { kind, qr_id, n: number }
  const answered = JSON.parse(text)
  if (kind === 'code') return { kind, qr_id: String(answered.qr_id) }
  return { kind, id: String(answered.id), file_url: String(answered.file_url), sha256 }
}

/**
 * Clients that act one after the other, each waiting for its answers, until the signal. Two of the same
 * number would edit the same code.
 */
export async function actUntil(
  target: Target,
  until: AbortSignal,
  { clients = 4, firstClient = 0, kinds = MIXED, everyMs = 0 } = {},
): Promise<void> {
  await Promise.all(
    Array.from({ length: clients }, async (_, i) => {
      const client = firstClient + i
      for (let n = client; !until.aborted; n++) {
        if (!(await act(target, kinds[n % kinds.length] ?? 'scan', client))) return
        if (everyMs > 0) await sleep(everyMs)
      }
    }),
  )
}
