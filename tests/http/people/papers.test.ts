import { describe, expect, test } from 'vitest'
import { sendSlowly } from '#tests/support/callers.ts'
import { COMPANY, openHousehold, PEOPLE, type Person } from '#tests/support/household.ts'
import { insertPaper } from '#tests/support/papers.ts'
import { storeFile } from '#tests/support/storage.ts'
import { storedName } from '#tests/support/things.ts'
import { fileForm, PDF, picture } from '#tests/support/uploads.ts'

async function openPapers() {
  const app = await openHousehold()
  const { db, owner, car } = app
  const paper = async (qr_id: string, is_public: 0 | 1, account_id = owner.id) => {
    const stored_name = storedName('pdf')
    const row = await insertPaper(db, { qr_id, account_id }, { is_public, stored_name })
    await storeFile(app.dataDir, row.stored_name, PDF)
    return row
  }
  const upload = async (who: Person, qrId: string, rest = '') => {
    const body = fileForm(PDF, { document_type: 'insurance' })
    const path = `/api/documents/upload/${qrId}${rest}`
    const answer = await app.ask('POST', path, { as: app.people[who], body })
    return { status: answer.status, body: await answer.json() }
  }
  const rows = () => db.selectFrom('documents').selectAll().execute()
  const hidden = await paper(car.qr_id, 0)
  const open = await paper(car.qr_id, 1)
  return { ...app, paper, upload, rows, hidden, open }
}

const FORBIDDEN = { detail: 'Your role does not allow this' }
/** The answers to people who do not see the car. */
const NONE = { stranger: 404, child: 404, ofCompany: 404 }

describe('the papers of an owner', () => {
  test('are changed by managers in scope, and refused to other roles after they are missing', async () => {
    const { statuses, call, hidden, open } = await openPapers()
    const path = (id: string) => `/api/documents/${id}`
    const change = { expires_on: '2027-03-31' }
    expect(await statuses('PATCH', path(hidden.id), change)).toEqual({
      ...NONE,
      manager: 200,
      ofCode: 200,
      member: 404,
      viewer: 404,
    })
    expect(await statuses('PATCH', path(open.id), change)).toEqual({
      ...NONE,
      manager: 200,
      ofCode: 200,
      member: 403,
      viewer: 403,
    })
    expect((await call('member', 'PATCH', path(open.id), change)).body).toMatchObject(FORBIDDEN)
    expect((await call('viewer', 'DELETE', path(open.id))).status).toBe(403)
    expect((await call('manager', 'DELETE', path(open.id))).status).toBe(200)
  })

  test('that a manager uploads are the owner’s, count for it, and are noted', async () => {
    const { db, upload, call, helps, people, owner, car } = await openPapers()
    const { status, body } = await upload('manager', car.qr_id)
    expect([status, body.is_own]).toEqual([201, true])
    const row = await db.selectFrom('documents').selectAll().where('id', '=', body.id).execute()
    expect(row).toMatchObject([{ account_id: owner.id, is_public: 0 }])
    expect(await helps()).toEqual([
      { action: 'document.uploaded', actor_id: people.manager.id, subject_id: body.id },
    ])
    expect(
      (await call('owner', 'PATCH', `/api/documents/${body.id}`, { is_public: true })).status,
    ).toBe(200)
    expect(await helps()).toHaveLength(1)
    for (const who of ['member', 'viewer'] as const) {
      expect((await upload(who, car.qr_id)).body).toMatchObject(FORBIDDEN)
    }
    expect((await upload('ofCompany', car.qr_id)).status).toBe(404)
    expect((await upload('stranger', car.qr_id)).status).toBe(404)
  })

  test('are thirty at most on a code, with those of its managers', async () => {
    const { upload, paper, car } = await openPapers()
    for (let n = 2; n < 30; n++) await paper(car.qr_id, 0)
    expect((await upload('manager', car.qr_id)).body).toMatchObject({
      detail: { current_count: 30, limit: 30 },
    })
  })

  test('are replaced by a manager, whose new file is the owner’s', async () => {
    const { upload, rows, hidden, open, owner, car } = await openPapers()
    expect((await upload('member', car.qr_id, `?replaces=${open.id}`)).status).toBe(403)
    expect((await upload('manager', car.qr_id, `?replaces=${hidden.id}`)).status).toBe(201)
    const left = await rows()
    expect(left.map(({ account_id }) => account_id)).toEqual([owner.id, owner.id])
    expect(left.some(({ id }) => id === hidden.id)).toBe(false)
  })

  test('are opened as files by those who see them', async () => {
    const { ask, people, hidden, open, leave } = await openPapers()
    const status = async (who: Person, { stored_name }: { stored_name: string }) =>
      (await ask('GET', `/api/files/${stored_name}`, { as: people[who] })).status
    for (const who of PEOPLE) {
      const mayOpen = who === 'manager' || who === 'ofCode'
      expect([who, await status(who, hidden)]).toEqual([who, mayOpen ? 200 : 404])
      expect([who, await status(who, open)]).toEqual([who, 200])
    }
    await leave('manager')
    expect(await status('manager', hidden)).toBe(404)
  })

  test('that a helper opens are no views by an authority', async () => {
    const { db, ask, people, open } = await openPapers()
    const look = (who: Person) => ask('GET', `/api/files/${open.stored_name}`, { as: people[who] })
    await look('viewer')
    await look('manager')
    expect(await db.selectFrom('document_views').selectAll().execute()).toEqual([])
    await look('stranger')
    expect(await db.selectFrom('document_views').selectAll().execute()).toHaveLength(1)
  })

  test('of a child code are the child’s, the owner’s and the managers’, each as they may', async () => {
    const { upload, call, paper, toy, people, owner, rows } = await openPapers()
    const secret = await paper(toy.qr_id, 0, people.child.id)
    const { body } = await upload('manager', toy.qr_id)
    const mine = await upload('child', toy.qr_id)
    const accounts = new Map((await rows()).map(({ id, account_id }) => [id, account_id]))
    expect(accounts.get(body.id)).toBe(owner.id)
    expect(accounts.get(mine.body.id)).toBe(people.child.id)
    const listed = async (who: Person) => {
      const { body: found } = await call(who, 'GET', `/api/documents/${toy.qr_id}`)
      return found.documents.map(({ id }: { id: string }) => id).sort()
    }
    expect(await listed('manager')).toEqual([body.id])
    expect(await listed('child')).toEqual([secret.id, mine.body.id].sort())
    expect((await call('manager', 'DELETE', `/api/documents/${secret.id}`)).status).toBe(404)
    expect((await call('child', 'DELETE', `/api/documents/${body.id}`)).status).toBe(404)
  })

  test('are shown all at once by managers only', async () => {
    const { statuses, car, helps } = await openPapers()
    const path = `/api/documents/${car.qr_id}/visibility`
    expect(await statuses('PUT', path, { is_public: true })).toEqual({
      ...NONE,
      manager: 200,
      ofCode: 200,
      member: 403,
      viewer: 403,
    })
    expect((await helps()).map(({ action }) => action)).toEqual(['document.changed'])
  })
})

describe('a link to a paper', () => {
  const share = { share_method: 'download', recipient: null }

  test('is made, listed and ended by managers, with the plan of the owner', async () => {
    const { call, statuses, hidden, people } = await openPapers()
    expect(await statuses('POST', `/api/gallery/share/${hidden.id}`, share)).toEqual({
      ...NONE,
      manager: 200,
      ofCode: 200,
      member: 404,
      viewer: 404,
    })
    const listed = async (who: Person | 'owner') =>
      (await call(who, 'GET', '/api/gallery/shares')).body.shares
    expect(await listed('owner')).toHaveLength(2)
    expect(await listed('manager')).toHaveLength(2)
    expect(await listed('member')).toEqual([])
    const [{ id }] = await listed('owner')
    expect((await call('viewer', 'DELETE', `/api/gallery/shares/${id}`)).status).toBe(404)
    expect((await call('manager', 'DELETE', `/api/gallery/shares/${id}`)).status).toBe(200)
    expect(people.manager.subscription_plan).toBe('free')
  })
})

describe('when a share ends', () => {
  test('the links that its person made end, and those of the owner stay', async () => {
    const { ask, call, db, hidden, people, leave } = await openPapers()
    const make = async (who: Person | 'owner') => {
      const { body } = await call(who, 'POST', `/api/gallery/share/${hidden.id}`, {
        share_method: 'download',
        recipient: null,
      })
      return new URL(body.download_url).pathname
    }
    const [theirs, own] = [await make('manager'), await make('owner')]
    const open = async (path: string) => (await ask('GET', path)).status
    expect([await open(theirs), await open(own)]).toEqual([200, 200])
    const become = (role: 'viewer' | 'manager') =>
      db.updateTable('shares').set({ role }).where('person_id', '=', people.manager.id).execute()
    await become('viewer')
    expect([await open(theirs), await open(own)]).toEqual([404, 200])
    await become('manager')
    expect(await open(theirs)).toBe(200)
    const narrow = (company_fleet_name: string | null) =>
      db
        .updateTable('shares')
        .set({ company_fleet_name })
        .where('person_id', '=', people.manager.id)
        .execute()
    await narrow(COMPANY)
    expect([await open(theirs), await open(own)]).toEqual([404, 200])
    await narrow(null)
    expect(await open(theirs)).toBe(200)
    await leave('manager')
    expect([await open(theirs), await open(own)]).toEqual([404, 200])
  })

  test('an upload that is on its way is refused, and leaves no file', async () => {
    const app = await openPapers()
    const body = fileForm(PDF, { document_type: 'insurance' })
    const path = `/api/documents/upload/${app.car.qr_id}`
    const answer = await sendSlowly(app, { path, as: app.people.manager, body }, () =>
      app.leave('manager'),
    )
    expect(answer.status).toBe(404)
    expect(await app.rows()).toHaveLength(2)
  })

  test('an upload of a role that was lowered meanwhile is refused', async () => {
    const app = await openPapers()
    const body = fileForm(PDF, { document_type: 'insurance' })
    const path = `/api/documents/upload/${app.car.qr_id}`
    const lower = () =>
      app.db
        .updateTable('shares')
        .set({ role: 'viewer' })
        .where('person_id', '=', app.people.manager.id)
        .execute()
    const answer = await sendSlowly(app, { path, as: app.people.manager, body }, lower)
    expect(answer.status).toBe(404)
    expect((await app.upload('manager', app.car.qr_id)).body).toMatchObject(FORBIDDEN)
    expect(await app.rows()).toHaveLength(2)
  })
})

describe('popup images', () => {
  test('of an owner are handled by managers of all its codes', async () => {
    const { ask, call, statuses, people, owner, leave, helps } = await openPapers()
    const at = (path = '') => `/api/popup-images${path}?owner_id=${owner.id}`
    expect(await statuses('GET', at())).toEqual({
      manager: 200,
      member: 403,
      viewer: 403,
      ofCompany: 403,
      ofCode: 403,
      stranger: 404,
      child: 404,
    })
    const body = fileForm(await picture())
    const image = await ask('POST', at('/upload'), { as: people.manager, body })
    const { id, file_path } = await image.json()
    expect((await call('owner', 'GET', '/api/popup-images')).body).toHaveLength(1)
    expect((await call('manager', 'GET', '/api/popup-images')).body).toEqual([])
    expect((await call('manager', 'PUT', at(`/${id}/toggle`))).body.is_active).toBe(false)
    const file = (who: Person) => ask('GET', `/api/files/${file_path}`, { as: people[who] })
    expect([(await file('manager')).status, (await file('member')).status]).toEqual([200, 404])
    expect((await call('member', 'DELETE', at(`/${id}`))).status).toBe(403)
    expect((await helps()).map(({ action }) => action)).toEqual([
      'popup_image.uploaded',
      'popup_image.changed',
    ])
    await leave('manager')
    expect((await call('manager', 'DELETE', at(`/${id}`))).status).toBe(404)
  })

  test('that arrive for an owner after the share has ended are refused', async () => {
    const app = await openPapers()
    const body = fileForm(await picture())
    const path = `/api/popup-images/upload?owner_id=${app.owner.id}`
    const as = app.people.manager
    const { status } = await sendSlowly(app, { path, as, body }, () => app.leave('manager'))
    expect(status).toBe(404)
    expect(await app.db.selectFrom('popup_images').selectAll().execute()).toEqual([])
  })
})

describe('the Documents page', () => {
  async function page(who: Person, query = '') {
    const { browse, people } = await openPapers()
    const path = `/dashboard?tab=documents${query}`
    return (await browse('GET', path, undefined, people[who])).html
  }

  test('shows a manager the acts on the papers of an owner, and says who sees private ones', async () => {
    const html = await page('manager')
    for (const words of ['Upload Document', 'Show all', 'Replace file', 'Delete']) {
      expect(html).toContain(words)
    }
    expect(html).toContain('Only the owner and managers can see it')
    expect(html).not.toContain('Only you can see it')
  })

  test.each(['member', 'viewer'] as const)(
    'shows a %s what is public, and no act',
    async (role) => {
      const html = await page(role)
      expect(html).toContain('puc.pdf')
      for (const act of ['Upload', 'Show all', 'Replace file', 'Delete', 'Private']) {
        expect(html).not.toContain(`>${act}<`)
      }
      expect(html).not.toContain('Upload Document')
      expect(await page(role, '&upload=1')).not.toContain('name="document_type"')
    },
  )

  test('offers to edit a date of a code only to those who may', async () => {
    const { browse, db, people } = await openPapers()
    await db.updateTable('qr_codes').set({ next_service_due: '2026-12-01' }).execute()
    const edits = async (who: Person) => {
      const path = '/dashboard?tab=documents&sort=due'
      return (await browse('GET', path, undefined, people[who])).html.includes('edit=')
    }
    expect([await edits('manager'), await edits('viewer')]).toEqual([true, false])
  })

  test('refuses the forms of another role, and those of a removed person', async () => {
    const { browse, people, open, hidden, leave, rows } = await openPapers()
    const send = async (who: Person, path: string, fields: Record<string, string> = {}) => {
      const form = new URLSearchParams(fields)
      return (await browse('POST', `/dashboard/documents/${path}`, form, people[who])).status
    }
    const show = { is_public: 'true', among: hidden.id }
    expect(await send('viewer', `${open.id}/delete`)).toBe(403)
    expect(await send('viewer', `${hidden.id}/visibility`, show)).toBe(404)
    expect(await send('manager', `${hidden.id}/visibility`, show)).toBe(303)
    await leave('manager')
    expect(await send('manager', `${hidden.id}/delete`)).toBe(404)
    const undo = { is_public: 'false', among: hidden.id, undo: 'on' }
    expect(await send('manager', `codes/${open.qr_id}/visibility`, undo)).toBe(404)
    expect((await rows()).every(({ is_public }) => is_public === 1)).toBe(true)
  })
})
