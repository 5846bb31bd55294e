import { fork, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'

export const BOUNDARY = 'driveqr-bench'

export type UploadTo = { url: string; token: string; qr_id: string }
export type Stored = { id: string }

/**
 * Starts phones that send a form each, in a process of the lowest priority, because real phones use
 * nothing of this machine.
 */
export async function openPhones(form: Buffer) {
  const child = fork(new URL('./phone-process.ts', import.meta.url), { serialization: 'advanced' })
  const ended = once(child, 'exit')
  const early = ended.then(([code]) => {
    throw new Error(`The phones ended with ${code}`)
  })
  early.catch(() => undefined)
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const ask = async (message: Serializable) => {
    child.send(message)
    return (await Promise.race([once(child, 'message'), early]))[0]
  }
  await ask(form)
  return {
    /** Sends the form to each at the same moment; resolves when all are answered. */
    send: (to: UploadTo[]) =>
      ask(to.map(({ url, token, qr_id }) => ({ url, token, qr_id }))) as Promise<Stored[]>,
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
