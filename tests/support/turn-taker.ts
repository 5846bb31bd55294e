/** A thread that works beside: it holds the database of a folder for so many milliseconds when it is told to. */
import { parentPort, workerData } from 'node:worker_threads'
import { openSqliteForWork } from '#db/sqlite/engine.ts'
import { inTransaction } from '#db/transaction.ts'

const { dataDir, shared } = workerData as { dataDir: string; shared: SharedArrayBuffer }
const engine = await openSqliteForWork(dataDir, shared)
const db = await engine.queries()
const never = new Int32Array(new SharedArrayBuffer(4))

parentPort?.on('message', (ms: number) =>
  inTransaction(db, async () => {
    parentPort?.postMessage('has it')
    Atomics.wait(never, 0, 0, ms)
  }),
)
parentPort?.postMessage('ready')
