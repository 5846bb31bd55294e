import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** PostgreSQL behind a network that can lose everything, and says nothing of it. */
export async function openVanishing(databaseUrl: string) {
  const { hostname, pathname, username } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isGone = false
  let noteLoss = () => {}
  const proxy = createServer((near) => {
    const far = connect(`${decodeURIComponent(hostname)}/.s.PGSQL.5432`)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => to.destroy())
      from.on('data', (bytes) => {
        if (!isGone) to.write(bytes)
        else noteLoss()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const each of sockets) each.destroy()
    proxy.close()
  })
  const { port } = proxy.address() as { port: number }
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    /** Resolves once something was lost. */
    vanish() {
      isGone = true
      return new Promise<void>((resolve) => {
        noteLoss = resolve
      })
    },
    comeBack() {
      isGone = false
    },
  }
}
