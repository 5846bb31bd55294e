/**
 * The limit of a cold start: Hono and better-sqlite3, one lookup and a line of text, in one plain file.
 */
import { serve } from '@hono/node-server'
import Sqlite from 'better-sqlite3'
import { Hono } from 'hono'

const database = new Sqlite(process.env.DATABASE ?? '')
const find = database.prepare('select owner_name from qr_codes where qr_id = ?').pluck()
const app = new Hono().get('/scan/:qrId', (c) => c.text(String(find.get(c.req.param('qrId')))))
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
