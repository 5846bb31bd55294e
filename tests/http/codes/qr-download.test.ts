import jsqr from 'jsqr'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

async function openWithCode() {
  const app = await openTestApp({ env: { PUBLIC_URL: 'https://keys.example.in' } })
  const owner = await app.signUp()
  const code = await insertCode(app.db, owner.id)
  const download = async (query = '', { as = owner, id = code.qr_id, headers = {} } = {}) => {
    const answer = await app.ask('GET', `/api/qr/${id}/download${query}`, { as, headers })
    return { status: answer.status, body: await answer.json() }
  }
  return { ...app, owner, code, download }
}

async function read(image: Buffer): Promise<{ text: string | undefined; width: number }> {
  const { data, info } = await sharp(image)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const pixels = new Uint8ClampedArray(data)
  return { text: jsqr(pixels, info.width, info.height)?.data, width: info.width }
}

describe('GET /api/qr/{qr_id}/download', () => {
  test('gives a PNG of ten pixels a module by default', async () => {
    const { download, code } = await openWithCode()
    const { status, body } = await download()
    expect(status).toBe(200)
    expect(Object.keys(body).toSorted()).toEqual(['filename', 'image_data'])
    expect(body.filename).toBe(`DriveQR-${formatQrId(code.qr_id)}.png`)
    const asked = await download('?format=png&size=10')
    expect(asked.body).toEqual(body)
  })

  test('PNG and SVG contain the address of the scan page, for a request to any host', async () => {
    const { download, code } = await openWithCode()
    const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' }
    const png = (await download('?format=png&size=4', { headers })).body
    const svg = (await download('?format=svg&size=4', { headers })).body
    expect(Object.keys(svg).toSorted()).toEqual(['filename', 'svg_content'])
    expect(svg.filename).toBe(`DriveQR-${formatQrId(code.qr_id)}.svg`)
    const text = `https://keys.example.in/scan/${code.qr_id}`
    const fromPng = await read(Buffer.from(png.image_data, 'base64'))
    const fromSvg = await read(Buffer.from(svg.svg_content))
    expect([fromPng.text, fromSvg.text]).toEqual([text, text])
    expect(fromPng.width).toBe(fromSvg.width)
  })

  test('is as large as asked, in pixels a module', { tags: 'slow' }, async () => {
    const { download } = await openWithCode()
    const width = async (size: number) => {
      const { image_data } = (await download(`?size=${size}`)).body
      return (await read(Buffer.from(image_data, 'base64'))).width
    }
    const one = await width(1)
    expect([await width(15), await width(25), await width(40)]).toEqual([
      15 * one,
      25 * one,
      40 * one,
    ])
  })

  test('the picture in the list says the same', async () => {
    const { ask, owner, code } = await openWithCode()
    const [listed] = await (await ask('GET', '/api/qr/my-qrs', { as: owner })).json()
    const { text } = await read(Buffer.from(listed.qr_image, 'base64'))
    expect(text).toBe(`https://keys.example.in/scan/${code.qr_id}`)
  })

  test.each(['0', '41', '-1', '1.5', 'ten', '', '1e3', '0xa', 'NaN'])(
    'refuses a size of "%s"',
    async (size) => {
      const { download } = await openWithCode()
      for (const format of ['png', 'svg']) {
        const detail = 'Size must be between 1 and 40'
        const refused = await download(`?format=${format}&size=${size}`)
        expect(refused).toEqual({ status: 400, body: { detail } })
      }
    },
  )

  test.each(['gif', 'PNG', '', 'png&format=svg'])('refuses format=%s', async (format) => {
    const { download } = await openWithCode()
    const detail = 'Format must be png or svg'
    expect(await download(`?format=${format}`)).toEqual({ status: 400, body: { detail } })
  })

  test('is for the owner and the child user of the code', async () => {
    const { download, signUp, owner, code, db, ask } = await openWithCode()
    const child = await signUp({ parent_id: owner.id })
    const unknown = { status: 404, body: { detail: 'QR code not found' } }
    expect(await download('', { as: child })).toEqual(unknown)
    expect(await download('', { as: await signUp(), id: code.qr_id })).toEqual(unknown)
    expect(await download('', { id: 'AAAABBBBCCCC' })).toEqual(unknown)
    await db.updateTable('qr_codes').set({ child_account_id: child.id }).execute()
    expect((await download('', { as: child })).status).toBe(200)
    expect((await ask('GET', `/api/qr/${code.qr_id}/download`)).status).toBe(401)
  })

  test('works for an id as people type it', async () => {
    const { download, code } = await openWithCode()
    const { status } = await download('', { id: formatQrId(code.qr_id).toLowerCase() })
    expect(status).toBe(200)
  })
})
