import jsqr from 'jsqr'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { readZip } from '#tests/support/zip.ts'

async function openWithCodes(...fields: Parameters<typeof insertCode>[2][]) {
  const app = await openTestApp({ env: { PUBLIC_URL: 'https://keys.example.in' } })
  const owner = await app.signUp()
  const codes = []
  for (const [n, each] of fields.entries()) {
    const created_at = new Date(Date.UTC(2026, 9, 31, 0, 0, -n)).toISOString()
    codes.push(await insertCode(app.db, owner.id, { created_at, ...each }))
  }
  const pack = async (query: string, as = owner) => {
    const answer = await app.ask('GET', `/api/qr/codes.zip?${query}`, { as })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const detail = answer.status === 200 ? undefined : JSON.parse(String(bytes)).detail
    return { status: answer.status, headers: answer.headers, bytes, detail }
  }
  return { ...app, owner, codes, pack }
}

async function decode(image: Buffer | undefined): Promise<string | undefined> {
  const { data, info } = await sharp(image)
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return jsqr(new Uint8ClampedArray(data), info.width, info.height)?.data
}

describe('GET /api/qr/codes.zip', () => {
  test('is a PNG and an SVG of each code that say its address, and a list', {
    tags: 'slow',
  }, async () => {
    const { pack, codes } = await openWithCodes({}, {})
    const { status, headers, bytes } = await pack('all=1')
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('application/zip')
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="DriveQR-codes.zip"')
    const files = readZip(bytes)
    const names = codes.map(({ qr_id }) => `DriveQR-${formatQrId(qr_id)}`)
    expect([...files.keys()]).toEqual([
      'DriveQR-codes.csv',
      ...names.flatMap((name) => [`png/${name}.png`, `svg/${name}.svg`]),
    ])
    for (const [n, name] of names.entries()) {
      const address = `https://keys.example.in/scan/${codes[n]?.qr_id}`
      expect(await decode(files.get(`png/${name}.png`))).toBe(address)
      expect(await decode(files.get(`svg/${name}.svg`))).toBe(address)
    }
  })

  test('lists what is needed to tell codes apart, for any spreadsheet, and no formula', {
    tags: 'slow',
  }, async () => {
    const { pack, codes } = await openWithCodes(
      { owner_name: '=HYPERLINK("x")', vehicle_registration: 'MH12QX4827' },
      { owner_name: null, is_claimed: 0, is_active: 0 },
    )
    const csv = readZip((await pack('all=1')).bytes)
      .get('DriveQR-codes.csv')
      ?.toString('utf8')
    const ids = codes.map(({ qr_id }) => [
      formatQrId(qr_id),
      `https://keys.example.in/scan/${qr_id}`,
    ])
    expect(csv?.split('\r\n')).toEqual([
      '\uFEFFcode,link,name,vehicle,type,active,claimed,created',
      `${ids[0]},"'=HYPERLINK(""x"")",MH12QX4827,normal,true,true,2026-10-31T00:00:00.000Z`,
      `${ids[1]},,,normal,false,false,2026-10-30T23:59:59.000Z`,
      '',
    ])
  })

  test('has pictures as large as asked, in pixels a module', async () => {
    const { pack } = await openWithCodes({})
    const width = async (query: string) => {
      const [, png] = [...readZip((await pack(`all=1${query}`)).bytes).values()]
      return (await sharp(png).metadata()).width
    }
    expect(await width('&size=30')).toBe(3 * (await width('')))
    for (const size of ['41', '0xa']) {
      expect((await pack(`all=1&size=${size}`)).detail).toBe('Size must be between 1 and 40')
    }
  })

  test('takes the same choice of codes as the labels, and is for their owner alone', async () => {
    const { pack, codes, signUp, ask } = await openWithCodes({}, { owner_name: 'Ayesha' }, {})
    const [a, b, c] = codes.map(({ qr_id }) => qr_id)
    const pictured = async (query: string) =>
      [...readZip((await pack(query)).bytes).keys()].filter((name) => name.startsWith('png/'))
    expect(await pictured('search=ayesha')).toEqual([`png/DriveQR-${formatQrId(b ?? '')}.png`])
    expect(await pictured(`ids=${c},${a}`)).toEqual(
      [c, a].map((id) => `png/DriveQR-${formatQrId(id ?? '')}.png`),
    )
    const foreign = await pack(`ids=${a}`, await signUp())
    expect([foreign.status, foreign.detail]).toEqual([404, 'QR code not found'])
    expect((await ask('GET', '/api/qr/codes.zip?all=1')).status).toBe(401)
    expect((await pack('')).status).toBe(400)
  })
})
