import { setTimeout as sleep } from 'node:timers/promises'
import { makePageToken } from '#actions/conversations/page-token.ts'
import { loadSecretKey } from '#db/secrets.ts'
import type { Side } from '#domain/conversations/conversation.ts'
import { actUntil, type Ledger } from '#lab/drills/_acts.ts'
import { type Folder, isRunning, killHard } from '#lab/drills/_folder.ts'
import type { Launched } from '#tests/support/server.ts'
import { photoForm, picture } from '#tests/support/uploads.ts'

/** A message that the server has acknowledged. No other has its text. `sentAt` is in milliseconds. */
export type Said = { from: Side; text: string; hasPhoto: boolean; sentAt: number }

/** `tokens` are of the pages of acknowledged conversations. */
export type Talk = {
  photo: Buffer
  said: Said[]
  tokens: string[]
  refused: { text: string; status: number; detail: string }[]
}

export async function newTalk(): Promise<Talk> {
  const photo = await picture({ kind: 'jpeg', width: 400, height: 300 })
  return { photo, said: [], tokens: [], refused: [] }
}

/** The whole text of each message. */
export const MESSAGE_TEXT = /Message \d+ ends/g

type Target = { url: string; folder: Folder; talk: Talk }
type Act = 'begin' | 'begin with a photo' | 'answer as finder' | 'answer as owner'

const ACTS: Act[] = [
  'begin',
  'answer as owner',
  'answer as finder',
  'begin with a photo',
  'answer as owner',
]
/** A form may not be sent sooner than 2 s after it was shown. */
const FORM_AGE_MS = 5_000
/** Two photos at a time are taken from one address. */
const TALKERS = 2
/** People pause after a refusal. */
const AFTER_REFUSAL_MS = 50
const WARM_MESSAGES = 2

let n = 0

/** Finders and their owner, who write one message after the other until the signal. */
export async function talkUntil(target: Target, until: AbortSignal): Promise<void> {
  await Promise.all(
    Array.from({ length: TALKERS }, async () => {
      while (!until.aborted && (await say(target)));
    }),
  )
}

type Rounds = { server: Launched; folder: Folder; talk: Talk; ledger?: Ledger }

/** Kills a server at random between two times after people began to write messages, and acts with a ledger. */
export async function killDuring(
  { server, folder, talk, ledger }: Rounds,
  [shortestMs, longestMs]: [number, number],
): Promise<void> {
  const stop = new AbortController()
  const { url } = server
  const writing = [
    talkUntil({ url, folder, talk }, stop.signal),
    ledger && actUntil({ url, folder, ledger }, stop.signal),
  ]
  // On a busy machine a server is slow just after its start.
  const wanted = talk.said.length + WARM_MESSAGES
  while (talk.said.length < wanted && isRunning(server) && talk.refused.length === 0) {
    await sleep(20)
  }
  await sleep(shortestMs + Math.random() * (longestMs - shortestMs))
  await killHard(server)
  stop.abort()
  await Promise.all(writing)
}

/** Writes one message and records it; false when the server does not answer. */
async function say({ url, folder, talk }: Target): Promise<boolean> {
  const number = ++n
  const act = ACTS[number % ACTS.length] ?? 'begin'
  const said = { text: `Message ${number} ends`, sentAt: Date.now() }
  try {
    const sent = await request({ url, folder, talk }, act, number, said.text)
    if (!sent) return true
    const answer = await fetch(url + sent.path, { method: 'POST', redirect: 'manual', ...sent })
    const text = await answer.text()
    const from: Side = act === 'answer as owner' ? 'owner' : 'finder'
    if (answer.status !== (act === 'answer as finder' ? 303 : 201)) {
      talk.refused.push({ text: said.text, status: answer.status, detail: text.slice(0, 200) })
      await sleep(AFTER_REFUSAL_MS)
      return true
    }
    talk.said.push({ ...said, from, hasPhoto: act === 'begin with a photo' })
    if (act.startsWith('begin')) {
      talk.tokens.push(new URL(JSON.parse(text).conversation_url).pathname.slice('/c/'.length))
    }
    return true
  } catch {
    return false
  }
}

/** Undefined while there is no conversation to answer in. */
async function request({ url, folder, talk }: Target, act: Act, number: number, text: string) {
  const json = { Authorization: `Bearer ${folder.token}`, 'Content-Type': 'application/json' }
  if (act === 'answer as owner') {
    const answer = await fetch(`${url}/api/conversations`, { headers: json })
    // While the database is away there is no list.
    const { conversations = [] } = await answer.json()
    const id = anyOf<{ id: string }>(conversations)?.id
    const path = `/api/conversations/${id}/messages`
    return id ? { path, headers: json, body: JSON.stringify({ text }) } : undefined
  }
  if (act === 'answer as finder') {
    const token = anyOf(talk.tokens)
    const path = `/c/${token}`
    return token
      ? { path, headers: { Origin: url }, body: new URLSearchParams({ text }) }
      : undefined
  }
  const qrId = folder.codes[number % folder.codes.length] ?? ''
  const shownAt = new Date(Date.now() - FORM_AGE_MS)
  const fields = {
    page_token: makePageToken(loadSecretKey(folder.dataDir), qrId, shownAt),
    reason: 'found',
    text,
    // Every third finder leaves no address, and is owed no mail.
    ...(number % 3 > 0 && { reply_to: `finder${number}@example.in` }),
  }
  const path = `/api/scan/${qrId}/messages`
  if (act === 'begin with a photo') return { path, body: photoForm(talk.photo, fields) }
  const headers = { 'Content-Type': 'application/json' }
  return { path, headers, body: JSON.stringify(fields) }
}

function anyOf<T>(list: T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)]
}
