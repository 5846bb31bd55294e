/** A thread of its own that checks a database too large to be checked before the start. */
import { parentPort, workerData } from 'node:worker_threads'
import { findDamage, openSqlite } from '#db/sqlite.ts'

const connection = openSqlite(workerData as string, 0)
parentPort?.postMessage(findDamage(connection))
connection.close()
