import { describe, expect, test } from 'vitest'
import { insertCode } from '#tests/support/codes.ts'
import { openHousehold, type Person } from '#tests/support/household.ts'

const PRIVATE = {
  driving_license_number: 'MH1220150012345',
  insurance_policy_number: 'POLICY778',
  notes_instructions: 'Spare key under the seat',
}

/** Its files are packed, and it is refused where nothing is found. */
const ZIP = '/api/qr/codes.zip'

describe('the private fields of a shared code', () => {
  test('are found by those alone who see them, in every list and file', async () => {
    const { db, owner, people, call, ask } = await openHousehold()
    const code = await insertCode(db, owner.id, PRIVATE)
    const finds = async (who: Person | 'owner', path: string) => {
      const { cookie } = who === 'owner' ? owner : people[who]
      const headers = { 'Sec-Fetch-Site': 'same-origin', Cookie: cookie }
      const answer = await ask('GET', path, { headers })
      if (path.startsWith(ZIP)) return answer.status === 200
      return (await answer.text()).includes(code.qr_id)
    }
    const paths = [
      ...['', '&sort=title', '&sort=scans', '&sort=due'].map(
        (sort) => `/api/qr/my-qrs?page=1${sort}&search=`,
      ),
      '/dashboard?tab=my-qrs&q=',
      '/dashboard?tab=documents&q=',
      `${ZIP}?search=`,
    ]
    for (const path of paths) {
      for (const text of Object.values(PRIVATE).map(encodeURIComponent)) {
        const found: string[] = []
        for (const who of ['owner', 'manager', 'member', 'viewer', 'ofCompany'] as const) {
          if (await finds(who, path + text)) found.push(who)
        }
        expect([path + text, found]).toEqual([path + text, ['owner', 'manager']])
      }
    }
    const { body } = await call('viewer', 'GET', '/api/qr/my-qrs?page=1')
    expect(JSON.stringify(body)).not.toMatch(/MH1220150012345|POLICY778|Spare key/)
  })
})

test('a child user who helps its parent acts on its own code for itself', async () => {
  const { call, share, helps, toy, car } = await openHousehold()
  await share('child', { role: 'manager' })
  const change = { public_message: 'Please call' }
  expect((await call('child', 'PUT', `/api/qr/${toy.qr_id}`, change)).status).toBe(200)
  expect(await helps()).toEqual([])
  expect((await call('child', 'PUT', `/api/qr/${car.qr_id}`, change)).status).toBe(200)
  expect((await helps()).map(({ action }) => action)).toEqual(['qr.changed'])
})
