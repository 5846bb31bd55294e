import { Hono } from 'hono'
import type { AppEnv } from '#routes/_http/context.ts'
import { metrics } from '#routes/operations/metrics.ts'
import { readyz } from '#routes/operations/readyz.ts'

/** Answers the requests of monitoring, also in a worker. It needs no session and no database. */
export const operations = new Hono<AppEnv>().route('/readyz', readyz).route('/metrics', metrics)
