import { expect, test } from 'vitest'
import { hashPin } from '#db/codes/pins.ts'
import { SCAN_SHEETS, type ScanSheet } from '#domain/scans/scan-sheets.ts'
import { buildScanSheet } from '#scripts/_finder-assets.ts'
import { cssHashes } from '#server/assets.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

const LONGEST_RAW = 12_500
/** Of the page in English and not lost, and of all others. */
const LONGEST_ON_THE_WIRE = { plain: 4 * 1024, other: 4.5 * 1024 }

const FULL = {
  vehicle_registration: 'MH12QX4827',
  vehicle_make_model: 'Maruti Suzuki Swift VXi',
  company_fleet_name: 'Deccan Cabs and Carriers',
  email: 'ramesh.kulkarni.1975@example.co.in',
  emergency_contact_phone: '+919000012345',
  blood_group: 'AB+',
}
const PEOPLE = {
  en: {
    owner_name: 'Ramesh Vishwanath Kulkarni',
    city_area: 'Kothrud, Pune',
    emergency_contact_name: 'Sunita Ramesh Kulkarni',
    public_message:
      'This key belongs to a wonderful human being. Thank you for scanning! Please call or return this to me.',
  },
  hi: {
    owner_name: 'रमेश विश्वनाथ कुलकर्णी',
    city_area: 'कोथरूड, पुणे',
    emergency_contact_name: 'सुनीता रमेश कुलकर्णी',
    public_message:
      'यह चाबी एक बहुत अच्छे इंसान की है। स्कैन करने के लिए धन्यवाद! कृपया मुझे फ़ोन करें या इसे लौटा दें।',
  },
}

async function shippedCss() {
  const sheets = SCAN_SHEETS.map(async (sheet) => [sheet, await buildScanSheet(sheet)] as const)
  return Object.fromEntries(await Promise.all(sheets)) as Record<ScanSheet, string>
}

const LOST = {
  lost_since: '2026-11-18T08:00:00.000Z',
  lost_note: 'Lost between Deccan bus stop and Kothrud depot. Three keys on a red strap.',
  lost_reward: '₹2,000',
}
const PAGES = (['en', 'hi'] as const).flatMap((lang) => [
  { lang, what: 'public', state: {} },
  { lang, what: 'relay', state: { contact_mode: 'relay' } as const },
  { lang, what: 'lost', state: LOST },
])

test.each(PAGES)(
  'the fullest $what page in $lang fits the first round trip',
  async ({ lang, what, state }) => {
    const { ask, deps, db, signUp } = await openTestApp()
    const scanCss = await shippedCss()
    deps.assets = { ...deps.assets, scanCss, scanCssHashes: cssHashes(scanCss) }
    const fields = { ...FULL, ...PEOPLE[lang], ...state }
    const { qr_id } = await insertCode(db, (await signUp()).id, fields)
    await db
      .updateTable('qr_codes')
      .set({ pin_hash: hashPin(deps.secretKey, qr_id, '1234') })
      .execute()
    const sizeOf = async (headers: Record<string, string>) => {
      const response = await ask('GET', `/scan/${qr_id}?lang=${lang}`, { headers })
      expect(response.headers.get('content-encoding')).toBe(headers['accept-encoding'] ?? null)
      return (await response.arrayBuffer()).byteLength
    }
    const raw = await sizeOf({})
    const onTheWire = await sizeOf({ 'accept-encoding': 'gzip' })
    console.info(`${what} scan page in ${lang}: ${raw} bytes, ${onTheWire} on the wire`)
    expect(raw).toBeLessThanOrEqual(LONGEST_RAW)
    const { plain, other } = LONGEST_ON_THE_WIRE
    const isPlain = lang === 'en' && what !== 'lost'
    expect(onTheWire).toBeLessThanOrEqual(isPlain ? plain : other)
  },
)
