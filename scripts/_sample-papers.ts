import type { QrCode } from '#db/schema.ts'
import type { DocumentFields } from '#domain/papers/document.ts'
import { formatDate } from '#domain/time.ts'
import { openCanvas } from '#scripts/_sample-canvas.ts'
import { daysBefore } from '#scripts/_sample-fleet.ts'

/** A file to upload. */
export type SampleFile = { file_name: string; content: Buffer }
export type SamplePaper = SampleFile & DocumentFields

const INK = '#1a1710'
const PAPER = '#f4ecd8'
const SAMPLE = 'SAMPLE'

/** The papers of one vehicle, with the details of its code. */
export async function papersOf(code: QrCode, now: Date): Promise<SamplePaper[]> {
  const { vehicle_registration: plate, vehicle_make_model, owner_name, city_area } = code
  const holder = { Owner: owner_name ?? '', Address: city_area ?? '' }
  const vehicle = { 'Registration number': plate ?? '', Vehicle: vehicle_make_model ?? '' }
  const tested = daysBefore(now, 40)
  const bought = formatDate(daysBefore(now, 1100))
  const rc = card('Registration certificate', '#2f6f8f', { ...vehicle, ...holder, Since: bought })
  const back = card('Registration certificate', '#2f6f8f', {
    Chassis: `MA3${plate}0042`,
    Engine: `K12${plate?.slice(-4)}871`,
    Fuel: 'Petrol',
    Seats: '5',
  })
  const driver = card('Driving licence', '#8a5a2b', {
    Number: code.driving_license_number ?? '',
    Name: owner_name ?? '',
    Class: 'LMV, MCWG',
    'Blood group': code.blood_group ?? '',
  })
  const insurance = await letter('Motor insurance policy', {
    'Policy number': code.insurance_policy_number ?? '',
    ...vehicle,
    'Insured person': owner_name ?? '',
    'Valid until': formatDate(code.insurance_expiry_date),
    Cover: 'Own damage and third party',
  })
  const puc = await letter('Pollution under control certificate', {
    ...vehicle,
    'Tested on': formatDate(tested),
    'Valid until': formatDate(daysBefore(tested, -180)),
    'Carbon monoxide': '0.12 % by volume',
  })
  const dayOf = (date: Date) => date.toISOString().slice(0, 10)
  const registered = { expires_on: dayOf(daysBefore(now, 1100 - 15 * 365)), is_public: true }
  return [
    paper('RC front.png', rc, {
      document_type: 'rc_book',
      document_side: 'front',
      ...registered,
    }),
    paper('RC back.png', back, {
      document_type: 'rc_book',
      document_side: 'back',
      ...registered,
    }),
    paper('Licence.png', driver, {
      document_type: 'license',
      document_side: 'front',
      is_public: false,
      expires_on: dayOf(daysBefore(now, -4000)),
    }),
    paper('Insurance policy.pdf', insurance, {
      document_type: 'insurance',
      document_side: null,
      is_public: true,
      expires_on: code.insurance_expiry_date,
    }),
    paper('PUC.pdf', puc, {
      document_type: 'puc',
      document_side: null,
      is_public: true,
      expires_on: dayOf(daysBefore(tested, -180)),
    }),
    paper('Vehicle.png', vehiclePhoto(plate ?? ''), {
      document_type: 'vehicle_photo',
      document_side: null,
      is_public: false,
      expires_on: null,
    }),
  ]
}

function paper(file_name: string, content: Buffer, fields: DocumentFields): SamplePaper {
  return { file_name, content, ...fields }
}

/** An identity card with a band, a chip and lines of facts. */
function card(title: string, band: string, facts: Record<string, string>): Buffer {
  const canvas = openCanvas(1000, 630, PAPER)
  canvas.box(0, 0, 1000, 110, band)
  canvas.text(title, 40, 38, 34, '#ffffff')
  canvas.box(40, 150, 120, 90, '#c9a227', 14)
  canvas.line({ x: 40, y: 195 }, { x: 160, y: 195 }, 4, PAPER)
  canvas.line({ x: 100, y: 150 }, { x: 100, y: 240 }, 4, PAPER)
  canvas.text(SAMPLE, 780, 560, 34, '#d8c9a4')
  for (const [i, [label, value]] of Object.entries(facts).entries()) {
    const y = 270 + i * 78
    canvas.text(label, 40, y, 16, '#6b6250')
    canvas.text(value, 40, y + 28, 28, INK)
  }
  return canvas.toPng()
}

function vehiclePhoto(plate: string): Buffer {
  const canvas = openCanvas(1200, 800, '#9fc3d6')
  canvas.box(0, 520, 1200, 280, '#77736a')
  canvas.box(330, 200, 540, 230, '#8f2f2a', 90)
  canvas.box(385, 245, 430, 140, '#d5e6ee', 50)
  canvas.box(200, 360, 800, 240, '#b23a34', 70)
  for (const x of [260, 860]) {
    canvas.box(x, 560, 80, 100, '#25221c', 16)
    canvas.box(x - 20, 420, 120, 60, '#fff3c4', 30)
  }
  platePlate(canvas, plate, 600, 500, 44)
  return canvas.toPng()
}

type Canvas = ReturnType<typeof openCanvas>

function platePlate(canvas: Canvas, plate: string, middle: number, y: number, size: number): void {
  const width = canvas.widthOf(plate, size)
  canvas.box(middle - width / 2 - 24, y - 16, width + 48, size + 32, INK, 12)
  canvas.box(middle - width / 2 - 20, y - 12, width + 40, size + 24, '#ffffff', 9)
  canvas.text(plate, middle - width / 2, y, size, INK)
}

/** A poster that finders see before the owner's details. */
export function poster(lines: string[], [back, front]: [string, string]): Buffer {
  const canvas = openCanvas(1080, 1080, back)
  canvas.box(60, 60, 960, 960, front, 48)
  canvas.box(440, 150, 200, 200, back, 100)
  canvas.box(500, 210, 80, 80, front, 40)
  canvas.box(515, 330, 50, 230, back, 10)
  for (const y of [450, 510]) canvas.box(540, y, 90, 34, back, 8)
  for (const [i, line] of lines.entries()) {
    const size = Math.min(72, (800 / canvas.widthOf(line, 72)) * 72)
    canvas.text(line, 540 - canvas.widthOf(line, size) / 2, 640 + i * 110, size, back)
  }
  return canvas.toPng()
}

/** Two keys on a ring, on a wooden counter. */
export function keysPhoto(): Buffer {
  const canvas = openCanvas(1200, 900, '#8a5f3a')
  for (let y = 90; y < 900; y += 150) canvas.box(0, y, 1200, 6, '#6f4a2b')
  canvas.box(380, 180, 260, 260, '#c9ccd1', 130)
  canvas.box(410, 210, 200, 200, '#8a5f3a', 100)
  for (const [x, colour] of [
    [420, '#d9b24c'],
    [540, '#b9bdc4'],
  ] as const) {
    canvas.box(x, 400, 110, 110, colour, 55)
    canvas.box(x + 40, 420, 30, 30, '#8a5f3a', 15)
    canvas.box(x + 41, 490, 28, 250, colour, 8)
    for (const y of [640, 690]) canvas.box(x + 60, y, 40, 24, colour, 4)
  }
  canvas.box(620, 250, 220, 150, '#ffc61a', 40)
  canvas.text('DriveQR', 650, 305, 34, INK)
  return canvas.toPng()
}

/** The confirmation screen of a payment app. */
export function paymentScreenshot(amount: number, reference: string, at: Date): Buffer {
  const canvas = openCanvas(720, 1280, '#f6f7f9')
  canvas.box(0, 0, 720, 130, '#1f6b4a')
  canvas.text('Payment sent', 40, 50, 34, '#ffffff')
  canvas.box(290, 230, 140, 140, '#1f9d62', 70)
  canvas.line({ x: 325, y: 302 }, { x: 350, y: 328 }, 12, '#ffffff')
  canvas.line({ x: 350, y: 328 }, { x: 397, y: 274 }, 12, '#ffffff')
  const sum = `₹${amount}`
  canvas.text(sum, 360 - canvas.widthOf(sum, 84) / 2, 440, 84, INK)
  const facts = { To: 'DriveQR', Reference: reference, Date: at.toISOString().slice(0, 10) }
  for (const [i, [label, value]] of Object.entries(facts).entries()) {
    canvas.text(label, 60, 660 + i * 130, 24, '#6d7278')
    canvas.text(value, 60, 706 + i * 130, 36, INK)
  }
  return canvas.toPng()
}

/** A page with a heading and a table of facts. */
async function letter(title: string, facts: Record<string, string>): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit')
  const document = new PDFDocument({ size: 'A4', margin: 56, info: { Title: title } })
  document.rect(0, 0, document.page.width, 18).fill('#2f6f8f')
  document.fillColor(INK).font('Helvetica-Bold').fontSize(22).text(title, 56, 80)
  document.moveDown(1.5)
  for (const [label, value] of Object.entries(facts)) {
    document.font('Helvetica').fontSize(10).fillColor('#6b6250').text(label)
    document.font('Helvetica-Bold').fontSize(14).fillColor(INK).text(value).moveDown(0.7)
  }
  document.font('Helvetica').fontSize(9).fillColor('#6b6250')
  document.text('Sample data: this is not a real document.', 56, 760)
  document.end()
  const pieces: Buffer[] = []
  for await (const piece of document) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
