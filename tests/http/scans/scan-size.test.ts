import { expect, test } from 'vitest'
import { hashPin } from '#db/codes/pins.ts'
import { buildInlined } from '#scripts/_finder-assets.ts'
import { toInlined } from '#server/assets.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

const LONGEST_RAW = 12_000
const LONGEST_ON_THE_WIRE = 5_000

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

test.each(['en', 'hi'] as const)(
  'the fullest page in %s fits the first round trip',
  async (lang) => {
    const { ask, deps, db, signUp } = await openTestApp()
    const scan = toInlined(await buildInlined('scan'))
    deps.assets = { ...deps.assets, inlined: { ...deps.assets.inlined, scan } }
    const { qr_id } = await insertCode(db, (await signUp()).id, { ...FULL, ...PEOPLE[lang] })
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
    console.info(`scan page in ${lang}: ${raw} bytes, ${onTheWire} on the wire`)
    expect(raw).toBeLessThanOrEqual(LONGEST_RAW)
    expect(onTheWire).toBeLessThanOrEqual(LONGEST_ON_THE_WIRE)
  },
)
