import type { paths, webhooks } from 'driveqr-api'
import createClient from 'openapi-fetch'

type Send = (request: Request) => Promise<Response>
type Message = webhooks['message']['post']['requestBody']['content']['application/json']

/** The work of a program with a key, which a session makes: no cast, no type of ours. */
export async function runKeyJob(baseUrl: string, fetch: Send, token: string) {
  const client = createClient<paths>({ baseUrl, fetch })
  const made = await client.POST('/api/api-keys', {
    headers: { Authorization: `Bearer ${token}` },
    body: { name: 'Workshop', scopes: ['codes:write', 'messages'] },
  })
  if (!made.data) throw new Error(made.error.detail)
  const headers = { Authorization: `Bearer ${made.data.key}` }

  const listed = await client.GET('/api/qr/my-qrs', {
    headers,
    params: { query: { page: 1, limit: 20 } },
  })
  const path = { qr_id: listed.data?.[0]?.qr_id ?? '' }
  const changed = await client.PUT('/api/qr/{qr_id}', {
    headers,
    params: { path },
    body: { company_fleet_name: 'Pune' },
  })
  const companies = await client.GET('/api/qr/companies', { headers })
  const scans = await client.GET('/api/scan/{qr_id}/analytics', {
    headers,
    params: { path, query: {} },
  })

  const talks = await client.GET('/api/conversations', { headers })
  const id = talks.data?.conversations[0]?.id ?? ''
  const answered = await client.POST('/api/conversations/{id}/messages', {
    headers,
    params: { path: { id } },
    body: { text: 'I am coming now' },
  })
  const closed = await client.PUT('/api/conversations/{id}/status', {
    headers,
    params: { path: { id } },
    body: { status: 'closed' },
  })

  const due = await client.GET('/api/due', { headers })
  return {
    fleet: changed.data?.company_fleet_name,
    companies: companies.data?.companies,
    scans: scans.data?.total_scans,
    answer: answered.data?.text,
    status: closed.data?.status,
    refusal: due.error?.detail,
  }
}

/** Reads a call to the program's webhook. */
export function titleOf({ type, data }: Message): string {
  return `${type}: ${data.title}`
}
