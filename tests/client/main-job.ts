import type { paths } from 'driveqr-api'
import createClient from 'openapi-fetch'

type Send = (request: Request) => Promise<Response>
type Person = { email: string; name: string; password: string }

/** The main job, as somebody else's program does it: no cast, no type of ours. */
export async function runMainJob(baseUrl: string, fetch: Send, person: Person) {
  const client = createClient<paths>({ baseUrl, fetch })
  const { email } = person
  const sent = await client.POST('/api/auth/send-otp', { body: { email } })
  if (!sent.data?.test_otp) throw new Error(sent.error?.detail)

  const body = { ...person, otp: sent.data.test_otp }
  const registered = await client.POST('/api/auth/verify-otp', { body })
  if (!registered.data) throw new Error(registered.error.detail)
  const headers = { Authorization: `Bearer ${registered.data.session_id}` }

  const contact = { owner_name: person.name, contact_phone: '98765 43210' }
  const created = await client.POST('/api/qr/create', { headers, body: contact })
  if (!created.data) throw new Error('No code was created')
  const path = { qr_id: created.data.qr_id }

  const picture = await client.GET('/api/qr/{qr_id}/download', {
    headers,
    params: { path, query: { format: 'svg', size: 4 } },
  })
  if (!picture.data || !('svg_content' in picture.data)) throw new Error('No picture came')

  const scanned = await client.GET('/api/scan/{qr_id}', { params: { path } })
  if (!scanned.data) throw new Error(scanned.error.detail)

  // A free account has made its one code: the refusal says so, and is no text.
  const refused = await client.POST('/api/qr/create', { headers, body: contact })
  return {
    svg: picture.data.svg_content,
    finder: scanned.data.owner_name,
    refusal: refused.error?.detail,
    claim: async (qr_id: string) => {
      const claimed = await client.POST('/api/qr/claim', { body: { ...contact, qr_id } })
      if (!claimed.data) throw new Error(claimed.error.detail)
      return claimed.data.take_url
    },
  }
}
