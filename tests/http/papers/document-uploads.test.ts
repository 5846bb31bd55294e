import { writeFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { DOCUMENT_FILES, IMAGE_FILES } from '#domain/papers/file-kind.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { testOnFolder, testOnSqlite } from '#tests/support/database.ts'
import { storedFile } from '#tests/support/storage.ts'
import { blackPng, fileForm, filesIn, PDF, picture, pngChunk } from '#tests/support/uploads.ts'

const MB = 1024 * 1024

async function openUploads() {
  const app = await openTestApp()
  const owner = await app.signUp()
  const { qr_id } = await insertCode(app.db, owner.id)
  const send = async (path: string, body: BodyInit, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', body, duplex: 'half' } as const
    const all = { Authorization: `Bearer ${owner.bearerToken}`, ...headers }
    const answer = await app.app.request(`/api/${path}`, { ...init, headers: all })
    return { status: answer.status, body: await answer.json() }
  }
  const document = `documents/upload/${qr_id}`
  const toForm = (file: Uint8Array, name = 'a.png') =>
    fileForm(file, { document_type: 'insurance' }, name)
  const upload = (file: Uint8Array, name?: string) => send(document, toForm(file, name))
  const uploadImage = (file: Uint8Array, name = 'a.png') =>
    send('popup-images/upload', fileForm(file, {}, name))
  const rows = async () => [
    ...(await app.db.selectFrom('documents').selectAll().execute()),
    ...(await app.db.selectFrom('popup_images').selectAll().execute()),
  ]
  /** Nothing is left anywhere of an upload that was refused. */
  const expectNothing = async () => {
    expect(await rows()).toEqual([])
    expect(filesIn(app)).toEqual({ stored: [], incoming: [] })
  }
  const storedAt = (url: string) => storedFile(app.dataDir, url.split('/').at(-1) ?? '')
  return { ...app, document, send, upload, uploadImage, rows, expectNothing, storedAt }
}

/** An image with metadata in every place that its format allows. */
function withNotes(plain: Buffer, kind: 'jpeg' | 'png' | 'webp'): Buffer {
  if (kind === 'jpeg') {
    const notes = [
      jpegSegment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>SECRET</x:xmpmeta>'),
      jpegSegment(0xe2, 'MPF\0SECRET'),
      jpegSegment(0xed, 'Photoshop 3.0\0SECRET'),
      jpegSegment(0xfe, 'SECRET'),
    ]
    return Buffer.concat([plain.subarray(0, 2), ...notes, plain.subarray(2)])
  }
  if (kind === 'png') {
    const notes = [
      pngChunk('tEXt', Buffer.from('Author\0SECRET')),
      pngChunk('iTXt', Buffer.from('XML:com.adobe.xmp\0\0\0\0\0SECRET')),
      pngChunk('eXIf', Buffer.from('MM\0*\0\0\0\x08\0\0SECRET', 'latin1')),
      pngChunk('spAm', Buffer.from('SECRET')),
    ]
    const afterHeader = 33
    return Buffer.concat([plain.subarray(0, afterHeader), ...notes, plain.subarray(afterHeader)])
  }
  const note = Buffer.from('XMP \x06\0\0\0SECRET', 'latin1')
  const file = Buffer.concat([plain, note])
  file.writeUInt32LE(file.length - 8, 4)
  return file
}

function jpegSegment(marker: number, content: string): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, Buffer.from(content, 'latin1')])
}

const START = `--b\r\nContent-Disposition: form-data; name="document_type"\r\n\r\ninsurance\r\n--b\r\n`
const FILE = `Content-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=b' }

/** A form that comes in pieces and says nothing of its length. */
function streamed(pieces: Iterable<Uint8Array | string | Error>) {
  const each = pieces[Symbol.iterator]()
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = each.next()
      if (done) controller.close()
      else if (value instanceof Error) controller.error(value)
      else {
        const bytes = typeof value === 'string' ? Buffer.from(value) : value
        sent += bytes.length
        controller.enqueue(bytes)
      }
    },
  })
  return { body, sent: () => sent }
}

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

describe('a document', () => {
  test('may have 10 MB and not a byte more', async () => {
    const { upload, rows, dataDir, db } = await openUploads()
    const most = Buffer.alloc(DOCUMENT_FILES.maxBytes)
    most.set(PDF)
    most.set(PDF, most.length - PDF.length)
    expect((await upload(most, 'a.pdf')).status).toBe(201)
    const kept = { stored: filesIn({ dataDir }).stored, incoming: [] }
    const refused = { status: 413, body: { detail: 'File is larger than 10 MB' } }
    expect(await upload(Buffer.concat([most, Buffer.from('x')]), 'a.pdf')).toEqual(refused)
    expect(await rows()).toHaveLength(1)
    expect(filesIn({ dataDir })).toEqual(kept)
    await db.deleteFrom('documents').execute()
  })

  test('that says it is too large is refused before it is read', async () => {
    const { send, document, expectNothing } = await openUploads()
    const { body, sent } = streamed([START, FILE, PDF])
    const headers = { ...MULTIPART, 'Content-Length': String(11 * MB) }
    expect((await send(document, body, headers)).status).toBe(413)
    expect(sent()).toBeLessThanOrEqual(START.length)
    await expectNothing()
  })

  test('that grows without saying how far is cut off at the limit', async () => {
    const { send, document, expectNothing } = await openUploads()
    const pieces = Array.from({ length: 800 }, () => Buffer.alloc(64 * 1024))
    const { body, sent } = streamed([START, FILE, PDF, ...pieces])
    const { status, body: answer } = await send(document, body, MULTIPART)
    expect([status, answer.detail]).toEqual([413, 'File is larger than 10 MB'])
    expect(sent()).toBeLessThan(12 * MB)
    await expectNothing()
  })

  test('that breaks off leaves nothing, wherever it breaks off', async () => {
    const { send, document, expectNothing } = await openUploads()
    const whole = [START, FILE, PDF, Buffer.alloc(MB)]
    for (let pieces = 0; pieces <= whole.length; pieces++) {
      const gone = streamed([...whole.slice(0, pieces), new Error('the client is gone')])
      expect((await send(document, gone.body, MULTIPART)).status).toBe(400)
      const short = streamed(whole.slice(0, pieces))
      expect((await send(document, short.body, MULTIPART)).status).toBe(400)
    }
    await expectNothing()
  })

  test('must come in a form that is one', async () => {
    const { send, document, expectNothing } = await openUploads()
    const many = Array.from({ length: 25 }, (_, i) => [`f${i}`, 'x'])
    const longHeader = `--b\r\nContent-Disposition: form-data; name="${'x'.repeat(20_000)}"\r\n\r\nx\r\n--b--`
    const forms: [BodyInit, Record<string, string>][] = [
      ['{}', { 'Content-Type': 'application/json' }],
      ['document_type=puc', { 'Content-Type': 'application/x-www-form-urlencoded' }],
      ['no parts', { 'Content-Type': 'multipart/form-data' }],
      ['no parts', MULTIPART],
      [longHeader, MULTIPART],
      [fileForm(PDF, Object.fromEntries(many)), {}],
    ]
    for (const [body, headers] of forms) {
      expect((await send(document, body, headers)).status).toBe(400)
    }
    await expectNothing()
  })

  test('brings no field that could become a property of something else', async () => {
    const { send, document } = await openUploads()
    const fields = { document_type: 'insurance', __proto__x: '1', constructor: 'x' }
    const form = fileForm(PDF, fields, 'a.pdf')
    form.set('__proto__', 'polluted')
    expect((await send(document, form)).status).toBe(201)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('has the kind of its content, under any file name', { tags: 'slow' }, async () => {
    const { upload, rows } = await openUploads()
    const jpeg = await picture({ kind: 'jpeg' })
    expect((await upload(PDF, 'photo.jpg')).body).toMatchObject({
      content_type: 'application/pdf',
      file_name: 'photo.jpg.pdf',
    })
    expect((await upload(jpeg, 'scan.pdf')).body).toMatchObject({
      content_type: 'image/jpeg',
      file_name: 'scan.pdf.jpg',
    })
    expect(await rows()).toHaveLength(2)
  })

  test('in PDF that was cut short is refused, and one with something behind it is not', async () => {
    const { upload, expectNothing, rows } = await openUploads()
    const refused = { status: 415, body: { detail: 'This PDF is cut short and cannot be read' } }
    // A file that was saved twice has two ends: the first is not enough.
    const saved = Buffer.concat([PDF, Buffer.alloc(9000, ' '), PDF])
    for (const file of [PDF.subarray(0, 5), PDF.subarray(0, -3), saved.subarray(0, -3)]) {
      expect(await upload(file, 'a.pdf')).toEqual(refused)
    }
    await expectNothing()
    const tail = Buffer.from('\n<!-- what a web server wrote behind it -->\n')
    expect((await upload(Buffer.concat([PDF, tail]), 'a.pdf')).status).toBe(201)
    expect(await rows()).toHaveLength(1)
  })

  test('is refused when it is of another kind, under any file name', async () => {
    const { upload, uploadImage, expectNothing } = await openUploads()
    const others = {
      svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      html: Buffer.from('<!doctype html><script>alert(1)</script>'),
      exe: Buffer.from('MZ\x90\x00'),
      gif: await picture({ kind: 'gif' }),
      tiff: await picture({ kind: 'tiff' }),
      heic: Buffer.from('\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic'),
      avif: Buffer.from('\x00\x00\x00\x18ftypavif\x00\x00\x00\x00mif1avif'),
      empty: Buffer.alloc(0),
    }
    for (const [kind, file] of Object.entries(others)) {
      for (const name of ['a.png', 'a.pdf']) {
        const { status, body } = await upload(file, name)
        expect([kind, status, body.detail]).toEqual([
          kind,
          415,
          'Only PDF, JPG and PNG files are accepted',
        ])
      }
      const { status, body } = await uploadImage(file)
      expect([kind, status, body.detail]).toEqual([
        kind,
        415,
        'Only JPG, PNG and WebP images are accepted',
      ])
    }
    expect((await upload(await picture({ kind: 'webp' }))).status).toBe(415)
    expect((await uploadImage(PDF)).status).toBe(415)
    await expectNothing()
  })
})

describe('a picture', () => {
  test('for the popup may have 5 MB and not a byte more', async () => {
    const { uploadImage, rows } = await openUploads()
    const most = Buffer.alloc(IMAGE_FILES.maxBytes)
    most.set(await picture({ kind: 'jpeg' }))
    expect((await uploadImage(most, 'a.jpg')).status).toBe(201)
    const refused = { status: 413, body: { detail: 'Image is larger than 5 MB' } }
    expect(await uploadImage(Buffer.concat([most, Buffer.from('x')]), 'a.jpg')).toEqual(refused)
    expect(await rows()).toHaveLength(1)
  })

  test('keeps neither the place where it was taken nor what hides behind it, and stands upright', async () => {
    const { upload, storedAt } = await openUploads()
    const canvas = { width: 60, height: 20, channels: 3, background: '#2a6' } as const
    const taken = await sharp({ create: canvas })
      .withExif({ IFD3: { GPSLatitude: '18/1 31/1 0/1' }, IFD0: { Copyright: 'SECRET-OWNER' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const sent = Buffer.concat([taken, Buffer.from('<script>alert(1)</script>')])
    expect(sent.includes('SECRET-OWNER')).toBe(true)
    const { body } = await upload(sent, 'a.jpg')
    for (const url of [body.file_url, body.thumbnail_url]) {
      const stored = storedAt(url)
      expect(stored.includes('SECRET-OWNER')).toBe(false)
      expect(stored.includes('<script>')).toBe(false)
      const { exif, orientation, width = 0, height = 0 } = await sharp(stored).metadata()
      expect([exif, orientation, height > width]).toEqual([undefined, undefined, true])
    }
  })

  test.each(['jpeg', 'png', 'webp'] as const)(
    'keeps no metadata of a %s, and no bytes behind its end',
    async (kind) => {
      const { upload, uploadImage, storedAt } = await openUploads()
      const plain = await picture({ kind })
      const sent = Buffer.concat([withNotes(plain, kind), Buffer.from('SECRET video')])
      const { status, body } = await (kind === 'webp' ? uploadImage(sent) : upload(sent))
      expect([status, sent.includes('SECRET')]).toEqual([201, true])
      const urls = [body.file_url, body.thumbnail_url].filter(Boolean)
      for (const url of urls) expect(storedAt(url).includes('SECRET')).toBe(false)
    },
  )

  test('is kept at 4000 pixels at most, its thumbnail at 400', async () => {
    const { upload, storedAt } = await openUploads()
    const { body } = await upload(await picture({ width: 5000, height: 100 }), 'a.png')
    const sizes = []
    for (const url of [body.file_url, body.thumbnail_url]) {
      const { width, height, format } = await sharp(storedAt(url)).metadata()
      sizes.push([width, height, format])
    }
    expect(sizes).toEqual([
      [4000, 80, 'png'],
      [400, 8, 'jpeg'],
    ])
  })

  test('that decodes to more than 40 megapixels is refused by its header', async () => {
    const { upload, uploadImage, expectNothing } = await openUploads()
    const detail = 'Image is larger than 40 megapixels or longer than 16,000 pixels'
    for (const file of [blackPng(14_000, 14_000), blackPng(1, 65_000)]) {
      expect(file.length).toBeLessThan(MB)
      const before = process.memoryUsage().rss
      expect(await upload(file)).toEqual({ status: 413, body: { detail } })
      expect(await uploadImage(file)).toEqual({ status: 413, body: { detail } })
      expect(process.memoryUsage().rss - before).toBeLessThan(50 * MB)
    }
    await expectNothing()
    expect((await upload(blackPng(4000, 1000))).status).toBe(201)
  })

  test('that must be decoded in one piece is refused over 13 megapixels', async () => {
    const { upload, uploadImage, expectNothing } = await openUploads()
    const inPasses = (side: number) =>
      sharp({ create: { width: side, height: side, channels: 3, background: '#000' } })
        .jpeg({ progressive: true })
        .toBuffer()
    const large = await inPasses(3700)
    const detail =
      'Progressive and interlaced images may have 13 megapixels at most. Save this one as a plain JPG.'
    expect(await upload(large, 'a.jpg')).toEqual({ status: 413, body: { detail } })
    expect(await uploadImage(large)).toEqual({ status: 413, body: { detail } })
    await expectNothing()
    expect((await upload(await inPasses(300), 'a.jpg')).status).toBe(201)
  })

  test('that is damaged, cut short or moves is refused', async () => {
    const { upload, uploadImage, expectNothing, dataDir } = await openUploads()
    const jpeg = await picture({ width: 400, height: 400, kind: 'jpeg' })
    const png = await picture({ width: 400, height: 400 })
    const frames = ['#2a6', '#62a', '#a26'].map((colour) => join(dataDir, colour))
    for (const path of frames) writeFileSync(path, await picture({ background: basename(path) }))
    const moving = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer()
    const onlyMagic = Buffer.from('\xff\xd8\xff\xe0<html><script>alert(1)</script>', 'latin1')
    for (const file of [jpeg.subarray(0, 900), png.subarray(0, png.length / 2), onlyMagic]) {
      const refused = { status: 415, body: { detail: 'This image is damaged and cannot be read' } }
      expect(await upload(file)).toEqual(refused)
      expect(await uploadImage(file)).toEqual(refused)
    }
    const moves = { status: 415, body: { detail: 'Moving images are not accepted' } }
    expect(await uploadImage(moving)).toEqual(moves)
    await expectNothing()
  })
})

describe('a disk', () => {
  const noSpace = Object.assign(new Error('write failed'), { code: 'ENOSPC', syscall: 'write' })
  const full = { status: 503, body: { detail: 'Storage is full' } }

  test('that is nearly full takes no file, and counts scans', { tags: 'slow' }, async () => {
    const { upload, send, ask, expectNothing, document } = await openUploads()
    const little = { bavail: 60, bsize: MB } as Awaited<ReturnType<typeof promises.statfs>>
    vi.spyOn(promises, 'statfs').mockResolvedValue(little)
    syncBuiltinESMExports()
    expect(await upload(PDF, 'a.pdf')).toEqual(full)
    expect((await send('popup-images/upload', fileForm(await picture()))).status).toBe(503)
    const qrId = document.split('/').at(-1)
    expect((await ask('GET', `/api/scan/${qrId}`)).status).toBe(200)
    await expectNothing()
  })

  testOnFolder('that fills up during a flush keeps nothing, and works again later', async () => {
    const { upload, expectNothing, ask, document } = await openUploads()
    const probe = await promises.open('package.json')
    const handle = Object.getPrototypeOf(probe)
    await probe.close()
    vi.spyOn(handle, 'sync').mockRejectedValue(noSpace)
    expect(await upload(PDF, 'a.pdf')).toEqual(full)
    expect(await upload(await picture())).toEqual(full)
    expect((await ask('GET', `/scan/${document.split('/').at(-1)}`)).status).toBe(200)
    await expectNothing()
    vi.restoreAllMocks()
    expect((await upload(PDF, 'a.pdf')).status).toBe(201)
  })

  testOnSqlite('that has no room for the row keeps no file', async () => {
    const { upload, rows, connection, dataDir } = await openUploads()
    connection.exec('create table filler (x text)')
    connection.pragma(`max_page_count = ${connection.pragma('page_count', { simple: true })}`)
    expect(() => {
      for (;;) connection.exec('insert into filler values (hex(randomblob(2000)))')
    }).toThrow('full')
    // A few rows still find room in the pages that there are.
    let answer = await upload(PDF, 'a.pdf')
    while (answer.status === 201) answer = await upload(PDF, 'a.pdf')
    expect(answer).toEqual(full)
    expect(filesIn({ dataDir }).stored).toHaveLength((await rows()).length)
  })
})

describe('the limit of other bodies', () => {
  test('stays 64 KB, also for a body that only looks like an upload', async () => {
    const { send, document } = await openUploads()
    const large = fileForm(Buffer.alloc(100 * 1024))
    for (const path of ['qr/create', 'auth/login', 'documents/upload', `${document}/x`]) {
      expect([path, (await send(path, large)).status]).toEqual([path, 413])
    }
  })
})
