/** A worker thread that locks the database of a folder for the milliseconds of each message. */
import { parentPort, workerData } from 'node:worker_threads'
import { openSqliteForWork } from '#db/sqlite/engine.ts'
import { inTransaction } from '#db/transaction.ts'

const { dataDir, shared } = workerData as { dataDir: string; shared: SharedArrayBuffer }
const engine = await openSqliteForWork(dataDir, shared)
const db = await engine.queries()
const never = new Int32Array(new SharedArrayBuffer(4))

parentPort?.on('message', (ms: number) =>
  inTransaction(db, async () => {
    parentPort?.postMessage('locked')
    Atomics.wait(never, 0, 0, ms)
  }),
)
parentPort?.postMessage('ready')
