import { describe, expect, test } from 'vitest'
import { deleteQrCode } from '#db/codes/qr-changes.ts'
import { insertDocument, replaceDocument } from '#db/papers/document-uploads.ts'
import { deleteDocument, setAllVisibility } from '#db/papers/documents.ts'
import { deletePopupImage, insertPopupImage, togglePopupImage } from '#db/papers/popup-images.ts'
import { createShareLink, endShareLinks, revokeShareLink } from '#db/papers/share-links.ts'
import { hashToken } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { openTestApp } from '#tests/support/app.ts'
import { newCaller } from '#tests/support/callers.ts'
import { insertCode } from '#tests/support/codes.ts'
import { countEach, race } from '#tests/support/races.ts'

async function openPapers() {
  const app = await openTestApp()
  const { db } = app
  const owner = await app.signUp({ subscription_plan: 'premium' })
  const now = app.deps.clock()
  const { qr_id } = await insertCode(db, owner.id)
  const paper = (n: number) => {
    const kind = {
      document_type: 'puc',
      document_side: null,
      is_public: false,
      expires_on: null,
    } as const
    const file = { file_name: 'puc.pdf', stored_name: `puc${n}.pdf`, thumbnail_name: null }
    return {
      ...kind,
      ...file,
      file_size: 1,
      content_type: 'application/pdf',
      pdf_problem: null,
    }
  }
  const upload = (n: number) => insertDocument(db, owner, qr_id, paper(n), now)
  const replace = (id: string, n: number) =>
    replaceDocument(db, owner, { qrId: qr_id, replaces: id }, paper(n), now)
  const uploadImage = (n: number) => {
    const file = { file_name: 'sale.png', stored_name: `sale${n}.webp`, file_size: 1 }
    return insertPopupImage(db, { ownerId: owner.id }, { ...file, width: 1, height: 1 }, now)
  }
  const documents = () => db.selectFrom('documents').selectAll().execute()
  const images = () => db.selectFrom('popup_images').selectAll().execute()
  const links = () => db.selectFrom('share_links').selectAll().execute()
  return { ...app, owner, now, qr_id, upload, replace, uploadImage, documents, images, links }
}

describe('documents', () => {
  test('of a code are thirty at most, however many arrive at once', async () => {
    const { upload, documents } = await openPapers()
    for (let n = 0; n < 22; n++) await upload(n)
    const { won, refused } = await race((n) => upload(22 + n))
    expect(won).toHaveLength(8)
    expect(refused).toEqual({ 'plan_limit: Document limit reached (30/30)': 12 })
    expect(await documents()).toHaveLength(30)
  })

  test('are each deleted once, and name their files once', async () => {
    const { db, owner, upload, documents, now } = await openPapers()
    const { id } = await upload(0)
    const { won, refused } = await race(() => deleteDocument(db, owner, id, now))
    expect(won).toEqual([{ stored_names: ['puc0.pdf'] }])
    expect(refused).toEqual({ 'not_found: Document not found': 19 })
    expect(await documents()).toEqual([])
  })

  test('are each replaced once, also where the code has room for no more', async () => {
    const { upload, replace, documents } = await openPapers()
    for (let n = 0; n < 29; n++) await upload(n)
    const { id } = await upload(29)
    const { won, refused } = await race((n) => replace(id, 30 + n))
    expect(won.map(({ stored_names }) => stored_names)).toEqual([['puc29.pdf']])
    expect(refused).toEqual({ 'not_found: Document not found': 19 })
    const ids = (await documents()).map((each) => each.id)
    expect(ids).toHaveLength(30)
    expect(ids).toContain(won[0]?.document.id)
    expect(ids).not.toContain(id)
  })

  test('all become public in one of many acts at once, which alone can be undone', async () => {
    const { db, owner, qr_id, upload, now } = await openPapers()
    const ids = [await upload(0), await upload(1)].map(({ id }) => id)
    const { won } = await race(() => setAllVisibility(db, owner, qr_id, { isPublic: true }, now))
    const changed = won.map((each) => each.changed.toSorted())
    expect(changed.filter(({ length }) => length > 0)).toEqual([ids.toSorted()])
  })

  test('are all shown or all as before, however many show them and undo it at once', async () => {
    const { db, owner, qr_id, upload, documents, now } = await openPapers()
    const ids: string[] = []
    for (let n = 0; n < 6; n++) ids.push((await upload(n)).id)
    const shownBefore = ids.slice(0, 2)
    await setAllVisibility(db, owner, qr_id, { isPublic: true, among: shownBefore }, now)
    const { changed } = await setAllVisibility(db, owner, qr_id, { isPublic: true }, now)
    expect(changed.toSorted()).toEqual(ids.slice(2).toSorted())
    const { refused } = await race((n) =>
      n % 2 === 0
        ? setAllVisibility(db, owner, qr_id, { isPublic: false, among: changed }, now)
        : setAllVisibility(db, owner, qr_id, { isPublic: true }, now),
    )
    expect(refused).toEqual({})
    const shown = (await documents()).filter((each) => each.is_public).map(({ id }) => id)
    expect([ids.toSorted(), shownBefore.toSorted()]).toContainEqual(shown.toSorted())
  })

  test('that arrive while their code is deleted are in its files or refused', async () => {
    const { db, owner, now, qr_id, upload, documents } = await openPapers()
    const { won, refused } = await race(async (n): Promise<string[]> => {
      if (n === 10) return (await deleteQrCode(db, owner, qr_id, now)).stored_names
      return [`kept ${(await upload(n)).stored_name}`]
    })
    const names = won.flat()
    const kept = names.filter((name) => name.startsWith('kept ')).map((name) => name.slice(5))
    const named = names.filter((name) => !name.startsWith('kept '))
    expect(named.toSorted()).toEqual(kept.toSorted())
    expect(refused).toEqual(
      kept.length === 19 ? {} : { 'not_found: QR code not found': 19 - kept.length },
    )
    expect(await documents()).toEqual([])
  })
})

describe('popup images', () => {
  test('of an account are twenty at most, however many arrive at once', async () => {
    const { uploadImage, images } = await openPapers()
    for (let n = 0; n < 13; n++) await uploadImage(n)
    const { won, refused } = await race((n) => uploadImage(13 + n))
    expect(won).toHaveLength(7)
    expect(refused).toEqual({ 'plan_limit: Popup image limit reached (20/20)': 13 })
    expect(await images()).toHaveLength(20)
  })

  test('are switched as often as it is asked for, and each is deleted once', async () => {
    const { db, owner, uploadImage, images, now } = await openPapers()
    const { id } = await uploadImage(0)
    const switched = await race(() => togglePopupImage(db, { ownerId: owner.id }, id, { now }), 21)
    expect(countEach(switched.won.map(({ is_active }) => is_active))).toEqual({
      true: 10,
      false: 11,
    })
    expect(await images()).toMatchObject([{ is_active: 0 }])
    const { won, refused } = await race(() => deletePopupImage(db, { ownerId: owner.id }, id, now))
    expect(won).toEqual([{ stored_names: ['sale0.webp'] }])
    expect(refused).toEqual({ 'not_found: Image not found': 19 })
  })
})

describe('shared links', () => {
  test('are each revoked once', async () => {
    const { db, deps, owner, now, upload, links } = await openPapers()
    const { id } = await upload(0)
    const caller = await newCaller({ deps }, owner.id)
    const how = { share_method: 'download', recipient: null } as const
    const made = await race(() =>
      createShareLink(db, { viewer: owner, caller }, id, how, now, async () => {}),
    )
    expect(await links()).toHaveLength(20)
    const linkId = hashToken(made.won[0]?.token ?? '')
    const { won, refused } = await race(() => revokeShareLink(db, owner, linkId, now))
    expect([won.length, refused]).toEqual([1, { 'not_found: Link not found': 19 }])
    expect(await links()).toHaveLength(19)
  })

  test('are none for a session that ends meanwhile with all that it opened', async () => {
    const { db, deps, owner, now, upload, links } = await openPapers()
    const { id } = await upload(0)
    const caller = await newCaller({ deps }, owner.id)
    const how = { share_method: 'download', recipient: null } as const
    const { won, refused } = await race(async (n): Promise<unknown> => {
      if (n !== 10)
        return createShareLink(db, { viewer: owner, caller }, id, how, now, async () => {})
      return inTransaction(db, async (trx) => {
        await trx.deleteFrom('sessions').where('account_id', '=', owner.id).execute()
        return endShareLinks(trx, owner.id)
      })
    })
    expect(won).toHaveLength(20 - (refused['unauthenticated: Not authenticated'] ?? 0))
    expect(await links()).toEqual([])
  })
})
