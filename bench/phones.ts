import { fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import type { Stored, UploadTo } from './upload.ts'

export type Phones = {
  /** Sends the form to each at the same moment; resolves when all are answered. */
  send(to: UploadTo[]): Promise<Stored[]>
  stop(): Promise<void>
}

/**
 * Phones that send a form each, in a process of their own: what phones have to do is done by phones,
 * so whatever else is measured on this machine goes before it.
 */
export async function openPhones(form: Buffer): Promise<Phones> {
  const child = fork(new URL('./phone-process.ts', import.meta.url), { serialization: 'advanced' })
  const ended = once(child, 'exit')
  const early = ended.then(([code]) => {
    throw new Error(`The phones ended with ${code}`)
  })
  early.catch(() => undefined)
  const told = async () => (await Promise.race([once(child, 'message'), early]))[0]
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  child.send(form)
  await told()
  return {
    send(to) {
      child.send(to.map(({ url, token, qr_id }) => ({ url, token, qr_id })))
      return told()
    },
    async stop() {
      child.disconnect()
      await ended
    },
  }
}
