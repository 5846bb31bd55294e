/**
 * The limit of the scan page: node:http, prepared statements, a string template, and a commit per
 * request at SQLite's cheaper durability, with the same lookup, row and page size.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import Sqlite from 'better-sqlite3'

const database = new Sqlite(process.env.DATABASE ?? '')
database.pragma('journal_mode = WAL')
database.pragma('synchronous = NORMAL')
const find = database.prepare('select * from qr_codes where qr_id = ?')
const findOwner = database.prepare('select name from accounts where id = ?')
const insert = database.prepare(
  "insert into scans (qr_id, scanned_at, n, device, referrer) values (?, ?, ?, 'phone', 'direct')",
)
const template = readFileSync(process.env.TEMPLATE ?? '', 'utf8').split('{{owner_name}}')
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
let n = 0

createServer((request, response) => {
  const qrId = request.url?.slice('/scan/'.length) ?? ''
  const code = find.get(qrId) as { owner_id: string; owner_name: string } | undefined
  if (!code) {
    response.writeHead(404).end()
    return
  }
  findOwner.get(code.owner_id)
  insert.run(qrId, new Date().toISOString(), n++)
  const name = code.owner_name.replace(/[&<>"]/g, (character) => escapes[character] ?? '')
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(template.join(name))
}).listen(Number(process.env.PORT), '127.0.0.1')
