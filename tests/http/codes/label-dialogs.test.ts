import { describe, expect, test } from 'vitest'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { openTestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { insertCode } from '#tests/support/codes.ts'

async function openOwner() {
  const app = await openTestApp()
  const owner = await app.signUp({ subscription_plan: 'premium' })
  const browser = browserOf(app, owner)
  const open = (query: string, as = owner) => browserOf(app, as).open(`/dashboard?${query}`)
  return { ...app, owner, browser, open }
}

/** Returns the fields that a browser without script sends with the form's button. */
function fieldsOf(html: string): URLSearchParams {
  const form = /<form [^>]*action="\/dashboard\/qr\/labels.pdf".*?<\/form>/s.exec(html)?.[0] ?? ''
  const inputs = form.matchAll(/<input [^>]*name="(\w+)"[^>]*value="([^"]*)"/g)
  const selects = form.matchAll(/<select [^>]*name="(\w+)".*?<option value="(\w*)" selected=""/gs)
  const fields = [...inputs, ...selects].map(([, name = '', value = '']) => [name, value])
  return new URLSearchParams(
    fields.filter(([name = '']) => !['outline', 'fill'].includes(name)) as [string, string][],
  )
}

describe('Print labels', () => {
  test('prints one code by its form, by default as a key-ring tag', async () => {
    const { open, browser, owner, db } = await openOwner()
    const { qr_id } = await insertCode(db, owner.id)
    const { html } = await open(`labels=${qr_id}`)
    expect(html).toContain('Print label<')
    expect(html).toContain('1 page of 20 labels. The code is 25 mm wide.')
    expect(html).toContain('First page: 1 of 20 labels')
    const fields = fieldsOf(html)
    expect(Object.fromEntries(fields)).toMatchObject({ sheet: 'a4', size: '25', start: '1' })
    const { status, headers } = await browser.open(`/dashboard/qr/labels.pdf?${fields}`)
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/pdf'])
  })

  test('fills a page without script, where there are fewer codes than labels', async () => {
    const { open, owner, db } = await openOwner()
    const { qr_id } = await insertCode(db, owner.id)
    const { html } = await open(`labels=${qr_id}&fill=1&start=3`)
    expect(html).toMatch(/<input type="checkbox" name="fill" checked="" value="1"\/>Fill the page/)
    expect(html).toContain('First page: 18 of 20 labels')
    for (let n = 0; n < 20; n++) await insertCode(db, owner.id)
    expect((await open('labels=1&fill=1')).html).not.toContain('Fill the page')
  })

  test('prints the codes of the list: all of them, or those of the search', async () => {
    const { open, owner, db } = await openOwner()
    await insertCode(db, owner.id, { owner_name: 'Ayesha' })
    await insertCode(db, owner.id)
    const all = await open('labels=1')
    expect(all.html).toContain('Print 2 labels')
    expect(fieldsOf(all.html).get('all')).toBe('1')
    const found = await open('q=ayesha&labels=1')
    expect(found.html).toContain('Print label<')
    expect(fieldsOf(found.html).get('search')).toBe('ayesha')
    expect(fieldsOf(found.html).get('q')).toBe('ayesha')
  })

  test('shows another sheet without script, and keeps what was chosen', async () => {
    const { open, owner, db } = await openOwner()
    for (let n = 0; n < 3; n++) await insertCode(db, owner.id)
    const { html } = await open('labels=1&sheet=l7160&start=20')
    expect(html).toContain('2 pages of 21 labels. The code is 29 mm wide')
    expect(html).toContain('First page: 2 of 21 labels')
    expect(Object.fromEntries(fieldsOf(html))).toMatchObject({
      sheet: 'l7160',
      size: '',
      start: '20',
    })
    expect(html).toMatch(/<button[^>]*formAction="\/dashboard"[^>]*>Show preview/i)
  })

  test('says beforehand what cannot be printed, or not be read by every phone', async () => {
    const { open, owner, db } = await openOwner()
    await insertCode(db, owner.id)
    const tooLarge = (await open('labels=1&sheet=l7160&size=50')).html
    expect(tooLarge).toContain('A code of 50 mm does not fit on these labels')
    expect(tooLarge).toMatch(/<button[^>]*disabled=""[^>]*>.*?Download PDF/)
    const spent = (await open('labels=1&sheet=l7160&start=22')).html
    expect(spent).toContain('Start position must be between 1 and 21')
    expect((await open('labels=1&sheet=l7651')).html).not.toContain('The code is small')
  })

  test('says on a page what its form was refused for', async () => {
    const { browser, open, owner, db } = await openOwner()
    const { qr_id } = await insertCode(db, owner.id)
    const action = /<form [^>]*action="([^"]*\/labels\.pdf)"/
    const path = action.exec((await open(`labels=${qr_id}`)).html)?.[1] ?? ''
    const steps = [
      ['', 400, 'Select QR codes by ids, search, or all=1'],
      ['ids=7K3MQ9WD4XTP', 404, 'QR code not found'],
      ['all=1&size=900', 400, 'Size must be between 10 and 150 mm'],
      ['all=1&sheet=l7160&size=50', 400, 'A code of 50 mm does not fit on these labels'],
      ['all=1&start=99', 400, 'Start position must be between 1 and 20'],
    ] as const
    for (const [fields, status, text] of steps) {
      for (const answer of [
        await browser.open(`${path}?${fields}`),
        await browser.submit(path, Object.fromEntries(new URLSearchParams(fields))),
      ]) {
        const type = answer.headers.get('Content-Type')
        expect([fields, answer.status, type]).toEqual([fields, status, 'text/html; charset=utf-8'])
        expect(answer.html).toContain(text)
      }
    }
  })

  test('is reached from the card, from the full-size code and from below the list', async () => {
    const { open, owner, db } = await openOwner()
    const { qr_id } = await insertCode(db, owner.id)
    await insertCode(db, owner.id)
    expect((await open('')).html).toContain(`labels=${qr_id}`)
    expect((await open('')).html).toMatch(/href="[^"]*labels=1"[^>]*>.*?Print labels/)
    expect((await open('')).html).toContain('href="/api/qr/codes.zip?all=1"')
    expect((await open('q=ramesh')).html).toContain('href="/api/qr/codes.zip?search=ramesh"')
    expect((await open(`show=${qr_id}`)).html).toContain(`labels=${qr_id}`)
  })

  test('is not for codes of others', async () => {
    const { open, owner, db, signUp } = await openOwner()
    const { qr_id } = await insertCode(db, owner.id)
    const stranger = await signUp()
    for (const query of [`labels=${qr_id}`, 'labels=1', `made=${qr_id}`, 'labels=,', 'made=1']) {
      const { status, html } = await open(query, stranger)
      expect([query, status === 404 || status === 400]).toEqual([query, true])
      expect(html).not.toContain(formatQrId(qr_id))
    }
  })
})

test('after making many codes a page without script offers their files', async () => {
  const { ask, browser, open, owner } = await openOwner()
  const { to } = await browser.submit('/dashboard/qr/bulk', { quantity: '3' })
  const address = new URL(to ?? '', 'http://localhost')
  const ids = address.searchParams.get('made') ?? ''
  const { html } = await open(String(address.searchParams))
  expect(html).toContain('3 created<')
  expect(html).toContain('3 QR codes created successfully!')
  const zip = `/api/qr/codes.zip?${new URLSearchParams({ ids })}`
  expect(html).toContain(`href="${zip}"`)
  expect((await ask('GET', zip, { as: owner })).status).toBe(200)
  expect((await open(`labels=${ids}`)).html).toContain('Print 3 labels')
})
