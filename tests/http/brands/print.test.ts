import { PDFiumLibrary } from '@hyzyla/pdfium'
import jsqr from 'jsqr'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { BRAND, openBrand, PUBLIC_URL } from '#tests/support/brands.ts'
import { insertCode } from '#tests/support/codes.ts'
import { readSheets, wordsIn } from '#tests/support/pdf.ts'
import { fileForm, picture } from '#tests/support/uploads.ts'

/** Reads a picture like a phone does, and the colour of one of its pixels. */
async function readPicture(file: Buffer) {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const at = (x: number, y: number) =>
    `#${data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3).toString('hex')}`
  return { width, height, at, text: jsqr(new Uint8ClampedArray(data), width, height)?.data }
}

describe('a picture with a frame', () => {
  test.each(['png', 'svg'] as const)(
    'is read by phones and has the colour (%s)',
    async (format) => {
      const { ask, owner, qr_id, save, upload } = await openBrand({ plan: 'premium' })
      await save()
      await upload(await picture({ width: 300, height: 200, background: '#f29f05' }))
      const path = `/api/qr/${qr_id}/download?frame=1&size=10&format=${format}`
      const body = await (await ask('GET', path, { as: owner })).json()
      const file =
        format === 'png' ? Buffer.from(body.image_data, 'base64') : Buffer.from(body.svg_content)
      const { at, text, width, height } = await readPicture(file)
      expect(text).toBe(`${PUBLIC_URL}/scan/${qr_id}`)
      expect([at(15, height / 2), at(width - 15, height / 2)]).toEqual([BRAND.colour, BRAND.colour])
      // The quiet zone of four modules around the code.
      expect([at(35, height - 35), at(60, height - 60)]).toEqual(['#ffffff', '#ffffff'])
      expect(Number.parseInt(at(60, 60).slice(1, 3), 16)).toBeGreaterThan(0xe0)
    },
  )

  test('is yellow without a brand', async () => {
    const { ask, owner, qr_id } = await openBrand({ plan: 'free' })
    const answer = await ask('GET', `/api/qr/${qr_id}/download?frame=1`, { as: owner })
    const { at, text, width, height } = await readPicture(
      Buffer.from((await answer.json()).image_data, 'base64'),
    )
    expect([at(5, 5), text]).toEqual(['#ffc61a', `${PUBLIC_URL}/scan/${qr_id}`])
    // There is no room for a logo and a name above the code.
    expect(height).toBe(width)
  })

  test('makes images and pictures of other accounts wait for one of an account, not for all', {
    tags: 'slow',
  }, async () => {
    const { ask, owner, qr_id, db, signUp } = await openBrand({ plan: 'free' })
    const other = await signUp({ subscription_plan: 'premium' })
    const { qr_id: others } = await insertCode(db, other.id)
    const logo = fileForm(await picture({ kind: 'jpeg' }), {}, 'logo.jpg')
    const ended: string[] = []
    async function download(as: typeof owner, id: string) {
      const path = `/api/qr/${id}/download?frame=1&size=10`
      expect((await ask('GET', path, { as })).status).toBe(200)
      ended.push(id)
    }
    async function send() {
      expect((await ask('PUT', '/api/branding/logo', { as: other, body: logo })).status).toBe(200)
    }
    // Few and small, because a loaded machine has a minute for all of them.
    const all = Array.from({ length: 8 }, () => download(owner, qr_id))
    await Promise.all([download(other, others), send()])
    expect(ended.length).toBeLessThan(8)
    await Promise.all(all)
    expect(ended).toHaveLength(9)
  })

  test('escapes the name', async () => {
    const { ask, owner, qr_id, save } = await openBrand({ plan: 'premium' })
    await save({ brand_name: '</text><script>alert("1")</script>' })
    const answer = await ask('GET', `/api/qr/${qr_id}/download?frame=1&format=svg`, { as: owner })
    const { svg_content } = await answer.json()
    expect(svg_content).toContain('&lt;/text&gt;&lt;script&gt;alert(&quot;1&quot;)')
    expect(svg_content).not.toContain('<script')
  })
})

describe('labels', () => {
  async function printed(sheet: string, brand_name = BRAND.brand_name) {
    const { ask, owner, qr_id, save, upload } = await openBrand({ plan: 'premium' })
    await save({ brand_name })
    await upload(await picture({ width: 300, height: 200 }))
    const answer = await ask('GET', `/api/qr/labels.pdf?ids=${qr_id}&${sheet}`, { as: owner })
    return Buffer.from(await answer.arrayBuffer())
  }

  test.each(['sheet=a4&size=25', 'sheet=a4&size=50', 'sheet=l7163'])(
    'have the name, the logo and the colour, and the code in black (%s)',
    async (sheet) => {
      const pdf = await printed(sheet)
      expect(wordsIn(pdf)).toContain('NeelRath Cabs')
      expect(pdf.toString('latin1')).toContain('/Subtype /Image')
      expect(readSheets(pdf)[0]?.blackShapes.length).toBe(1)
    },
  )

  test.each(['नीलरथ कैब्स', 'ਨੀਲਰਥ ਕੈਬਸ', 'নীলরথ ক্যাবস'])(
    'have a name in the letters of India: %s',
    async (name) => {
      const pdf = await printed('sheet=a4', name)
      expect(pdf.toString('latin1')).toMatch(/\/BaseFont \/[A-Z]{6}\+NotoSans/)
      expect((await textIn(pdf)).replaceAll(/\s/g, '')).toContain(name.replaceAll(' ', ''))
      expect(wordsIn(pdf)).toContain('Found me? Scan.')
    },
  )

  test('leave out what no font has, as the picture and its preview do', async () => {
    const pdf = await printed('sheet=a4', 'Cab 🚕 Co')
    expect(wordsIn(pdf)).toContain('Cab Co')
    const { ask, owner, qr_id, save } = await openBrand({ plan: 'premium' })
    await save({ brand_name: 'Cab 🚕 Co' })
    const svg = await ask('GET', `/api/qr/${qr_id}/download?frame=1&format=svg`, { as: owner })
    expect((await svg.json()).svg_content).toContain('>Cab Co</text>')
    const framed = async () =>
      (await (await ask('GET', `/api/qr/${qr_id}/download?frame=1`, { as: owner })).json())
        .image_data
    const withSign = await framed()
    await save({ brand_name: 'Cab Co' })
    expect(await framed()).toBe(withSign)
  })

  test('warn of it before they are printed', async () => {
    const { browse, owner, qr_id, save } = await openBrand({ plan: 'premium' })
    const warning = 'Labels and pictures are printed without 🚕: their fonts do not have it.'
    for (const name of ['Cab Co', 'Cab 🚕 Co']) {
      await save({ brand_name: name })
      for (const path of ['/settings/branding', `/dashboard?labels=${qr_id}`]) {
        const as = { cookie: `__Host-${owner.cookie}` }
        const { html } = await browse('GET', path, undefined, as)
        expect([name, path, html.includes(`>${warning}<`)]).toEqual([name, path, name !== 'Cab Co'])
      }
    }
  })

  test('shorten a name that is too long at its end', async () => {
    const words = wordsIn(await printed('sheet=a4', `${'NEEL RATH '.repeat(3)}CABS W.W.`))
    expect(words.find((line) => line.startsWith('NEEL'))).toMatch(/^NEEL RATH NEEL [A-Z. ]*…$/)
  })
})

/** The text of the first page, as a reader of the PDF copies it. */
async function textIn(pdf: Buffer): Promise<string> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  const text = document.getPage(0).getText()
  document.destroy()
  library.destroy()
  return text
}
