import { fork, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'

export type Phones = {
  /** Resolves with what the process answers. */
  tell(message: Serializable): Promise<unknown>
  stop(): Promise<void>
}

/**
 * What phones do, by a process of its own: real ones use nothing of this machine, so whatever else is measured goes
 * before it.
 */
export function startPhones(program: URL): Phones {
  const child = fork(program, { serialization: 'advanced' })
  const ended = once(child, 'exit')
  const early = ended.then(([code]) => {
    throw new Error(`The phones ended with ${code}`)
  })
  early.catch(() => undefined)
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  return {
    async tell(message) {
      child.send(message)
      return (await Promise.race([once(child, 'message'), early]))[0]
    },
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
