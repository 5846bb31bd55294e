/** The limit of the framework: a plain Hono reply. */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono().get('/scan/:qrId', (c) => c.text('hello'))
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
