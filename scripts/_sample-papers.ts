import { readFile } from 'node:fs/promises'
import type { QrCode } from '#db/schema.ts'
import type { DocumentFields } from '#domain/papers/document.ts'
import { formatDate } from '#domain/time.ts'
import { dayOf, daysBefore } from '#scripts/_sample-fleet.ts'

/** A file to upload. */
export type SampleFile = { file_name: string; content: Buffer }
export type SamplePaper = SampleFile & DocumentFields

const INK = '#1a1710'
const LABEL = '#6b6250'

/** Reads a picture of `sample/`, which the build copies beside the program. */
export async function samplePicture(name: string, file_name = `${name}.png`): Promise<SampleFile> {
  return { file_name, content: await readFile(new URL(`./sample/${name}.png`, import.meta.url)) }
}

/** Returns the papers of one vehicle: pictures without its details, and letters with them. */
export async function papersOf(code: QrCode, now: Date): Promise<SamplePaper[]> {
  const { owner_name, vehicle_make_model, vehicle_registration, insurance_expiry_date } = code
  const vehicle = {
    'Registration number': vehicle_registration ?? '',
    Vehicle: vehicle_make_model ?? '',
  }
  const tested = daysBefore(now, 40)
  const validUntil = daysBefore(tested, -180)
  const insurance = letter('Motor insurance policy', {
    'Policy number': code.insurance_policy_number ?? '',
    ...vehicle,
    'Insured person': owner_name ?? '',
    'Valid until': formatDate(insurance_expiry_date),
    Cover: 'Own damage and third party',
  })
  const puc = letter('Pollution under control certificate', {
    ...vehicle,
    'Tested on': formatDate(tested),
    'Valid until': formatDate(validUntil),
    'Carbon monoxide': '0.12 % by volume',
  })
  const registered = {
    document_type: 'rc_book',
    expires_on: dayOf(daysBefore(now, 1100 - 15 * 365)),
    is_public: true,
  } as const
  return [
    {
      ...(await samplePicture('rc-front', 'RC front.png')),
      ...registered,
      document_side: 'front',
    },
    {
      ...(await samplePicture('rc-back', 'RC back.png')),
      ...registered,
      document_side: 'back',
    },
    {
      ...(await samplePicture('licence', 'Licence.png')),
      document_type: 'license',
      document_side: 'front',
      is_public: false,
      expires_on: dayOf(daysBefore(now, -4000)),
    },
    {
      file_name: 'Insurance policy.pdf',
      content: await insurance,
      document_type: 'insurance',
      document_side: null,
      is_public: true,
      expires_on: insurance_expiry_date,
    },
    {
      file_name: 'PUC.pdf',
      content: await puc,
      document_type: 'puc',
      document_side: null,
      is_public: true,
      expires_on: dayOf(validUntil),
    },
    {
      ...(await samplePicture('vehicle', 'Vehicle.png')),
      document_type: 'vehicle_photo',
      document_side: null,
      is_public: false,
      expires_on: null,
    },
  ]
}

/** Draws a page with a heading and a table of facts. */
async function letter(title: string, facts: Record<string, string>): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit')
  const document = new PDFDocument({ size: 'A4', margin: 56, info: { Title: title } })
  document.rect(0, 0, document.page.width, 18).fill('#2f6f8f')
  document.fillColor(INK).font('Helvetica-Bold').fontSize(22).text(title, 56, 80)
  document.moveDown(1.5)
  for (const [label, value] of Object.entries(facts)) {
    document.font('Helvetica').fontSize(10).fillColor(LABEL).text(label)
    document.font('Helvetica-Bold').fontSize(14).fillColor(INK).text(value).moveDown(0.7)
  }
  document.font('Helvetica').fontSize(9).fillColor(LABEL)
  document.text('Sample data: this is not a real document.', 56, 760)
  document.end()
  const pieces: Buffer[] = []
  for await (const piece of document) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
