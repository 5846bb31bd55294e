import { once } from 'node:events'
import { findFreePort } from './processes.ts'

/** Of a server that `heapMb` can ask. */
export async function inspected(): Promise<{ port: number; env: Record<string, string> }> {
  const port = await findFreePort()
  return { port, env: { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` } }
}

/** What the JavaScript of a server holds after a garbage collection, in MB. */
export async function heapMb(port: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/json`)
  const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await once(socket, 'open')
  const call = async (id: number, method: string) => {
    socket.send(JSON.stringify({ id, method }))
    const [{ data }] = (await once(socket, 'message')) as [MessageEvent<string>]
    return JSON.parse(data).result
  }
  // The first one may leave what it has only made ready to be freed.
  await call(1, 'HeapProfiler.collectGarbage')
  await call(2, 'HeapProfiler.collectGarbage')
  const { usedSize } = (await call(3, 'Runtime.getHeapUsage')) as { usedSize: number }
  socket.close()
  return usedSize / 2 ** 20
}
