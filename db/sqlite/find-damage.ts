/** A program that checks a database which is too large to be checked before the start. */
import { findDamage, openSqlite } from '#db/sqlite/sqlite.ts'

const connection = openSqlite(process.argv[2] ?? '', 0)
process.stdout.write(findDamage(connection) ?? '')
connection.close()
