import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashPin } from '#db/codes/pins.ts'
import { SCAN_SHEETS, type ScanSheet } from '#domain/scans/scan-sheets.ts'
import { LANGS } from '#locales/languages.ts'
import { cssHashes } from '#routes/_http/assets.ts'
import { buildScanSheet } from '#scripts/_finder-assets.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

const LONGEST_RAW = 13_000
/** `plain` is for pages in English of codes that are not lost. */
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
  bn: {
    owner_name: 'রমেশ বিশ্বনাথ কুলকার্নি',
    city_area: 'কোথরুড, পুনে',
    emergency_contact_name: 'সুনীতা রমেশ কুলকার্নি',
    public_message: 'এই চাবি একজন খুব ভালো মানুষের। স্ক্যান করার জন্য ধন্যবাদ! দয়া করে আমাকে ফোন করুন বা ফেরত দিন।',
  },
  te: {
    owner_name: 'రమేష్ విశ్వనాథ్ కులకర్ణి',
    city_area: 'కోత్రూడ్, పుణె',
    emergency_contact_name: 'సునీత రమేష్ కులకర్ణి',
    public_message: 'ఈ తాళం చాలా మంచి మనిషిది. స్కాన్ చేసినందుకు ధన్యవాదాలు! దయచేసి నాకు ఫోన్ చేయండి లేదా తిరిగి ఇవ్వండి.',
  },
  mr: {
    owner_name: 'रमेश विश्वनाथ कुलकर्णी',
    city_area: 'कोथरूड, पुणे',
    emergency_contact_name: 'सुनीता रमेश कुलकर्णी',
    public_message:
      'ही किल्ली एका खूप चांगल्या माणसाची आहे. स्कॅन केल्याबद्दल धन्यवाद! कृपया मला फोन करा किंवा ती परत द्या.',
  },
  ta: {
    owner_name: 'ரமேஷ் விஸ்வநாத் குல்கர்னி',
    city_area: 'கோத்ருட், புனே',
    emergency_contact_name: 'சுனிதா ரமேஷ் குல்கர்னி',
    public_message:
      'இந்தச் சாவி ஒரு நல்ல மனிதருடையது. ஸ்கேன் செய்ததற்கு நன்றி! தயவுசெய்து என்னை அழையுங்கள் அல்லது திருப்பிக் கொடுங்கள்.',
  },
  gu: {
    owner_name: 'રમેશ વિશ્વનાથ કુલકર્ણી',
    city_area: 'કોથરૂડ, પુણે',
    emergency_contact_name: 'સુનીતા રમેશ કુલકર્ણી',
    public_message:
      'આ ચાવી એક ખૂબ સારા માણસની છે. સ્કેન કરવા બદલ આભાર! કૃપા કરીને મને ફોન કરો અથવા તે પાછી આપો.',
  },
  kn: {
    owner_name: 'ರಮೇಶ್ ವಿಶ್ವನಾಥ್ ಕುಲಕರ್ಣಿ',
    city_area: 'ಕೋಥ್ರುಡ್, ಪುಣೆ',
    emergency_contact_name: 'ಸುನೀತಾ ರಮೇಶ್ ಕುಲಕರ್ಣಿ',
    public_message:
      'ಈ ಕೀಲಿ ತುಂಬಾ ಒಳ್ಳೆಯ ವ್ಯಕ್ತಿಯದು. ಸ್ಕ್ಯಾನ್ ಮಾಡಿದ್ದಕ್ಕೆ ಧನ್ಯವಾದಗಳು! ದಯವಿಟ್ಟು ನನಗೆ ಕರೆ ಮಾಡಿ ಅಥವಾ ಹಿಂತಿರುಗಿಸಿ.',
  },
  ml: {
    owner_name: 'രമേശ് വിശ്വനാഥ് കുൽക്കർണി',
    city_area: 'കോത്രുഡ്, പൂനെ',
    emergency_contact_name: 'സുനിത രമേശ് കുൽക്കർണി',
    public_message:
      'ഈ താക്കോൽ വളരെ നല്ല ഒരാളുടേതാണ്. സ്കാൻ ചെയ്തതിന് നന്ദി! ദയവായി എന്നെ വിളിക്കുക അല്ലെങ്കിൽ ഇത് തിരികെ തരിക.',
  },
  pa: {
    owner_name: 'ਰਮੇਸ਼ ਵਿਸ਼ਵਨਾਥ ਕੁਲਕਰਨੀ',
    city_area: 'ਕੋਥਰੂਡ, ਪੁਣੇ',
    emergency_contact_name: 'ਸੁਨੀਤਾ ਰਮੇਸ਼ ਕੁਲਕਰਨੀ',
    public_message:
      'ਇਹ ਚਾਬੀ ਇੱਕ ਬਹੁਤ ਚੰਗੇ ਇਨਸਾਨ ਦੀ ਹੈ। ਸਕੈਨ ਕਰਨ ਲਈ ਧੰਨਵਾਦ! ਕਿਰਪਾ ਕਰਕੇ ਮੈਨੂੰ ਫ਼ੋਨ ਕਰੋ ਜਾਂ ਇਹ ਵਾਪਸ ਦਿਓ।',
  },
  ur: {
    owner_name: 'رمیش وشوناتھ کلکرنی',
    city_area: 'کوتھروڈ، پونے',
    emergency_contact_name: 'سنیتا رمیش کلکرنی',
    public_message:
      'یہ چابی ایک بہت اچھے انسان کی ہے۔ اسکین کرنے کا شکریہ! براہِ کرم مجھے فون کریں یا اسے واپس کر دیں۔',
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
const PAGES = LANGS.flatMap((lang) => [
  { lang, what: 'public', state: {} },
  { lang, what: 'relay', state: { contact_mode: 'relay' } as const },
  { lang, what: 'lost', state: LOST },
  { lang, what: 'vehicle’s', state: { thing: 'vehicle' } as const },
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
    const packed = { 'accept-encoding': 'gzip' }
    const onTheWire = await sizeOf(packed)
    console.info(`${what} scan page in ${lang}: ${raw} bytes, ${onTheWire} on the wire`)
    expect(raw).toBeLessThanOrEqual(LONGEST_RAW)
    const { plain, other } = LONGEST_ON_THE_WIRE
    const isPlain = lang === 'en' && what !== 'lost'
    expect(onTheWire).toBeLessThanOrEqual(isPlain ? plain : other)
  },
)

/** A logo of the largest size, which random bytes make hard to compress. */
const LOGO = randomBytes(3_000).toString('base64')

test.each(PAGES)('the fullest $what page in $lang with a brand has at most 8 KB', async (page) => {
  const { lang, state } = page
  const { ask, deps, db, signUp } = await openTestApp()
  const scanCss = await shippedCss()
  deps.assets = { ...deps.assets, scanCss, scanCssHashes: cssHashes(scanCss) }
  const { id } = await signUp({ subscription_plan: 'premium' })
  const fields = { ...FULL, ...PEOPLE[lang], ...state }
  const { qr_id } = await insertCode(db, id, fields)
  const brand = { name: 'ब'.repeat(40), colour: '#0f4c96', footer: 'ब'.repeat(120), logo: LOGO }
  const row = {
    account_id: id,
    version: 'v',
    hides_product: 0,
    logo_file: 'l',
    updated_at: '',
  } as const
  await db
    .insertInto('brands')
    .values({ ...row, ...brand })
    .execute()
  const headers = { 'accept-encoding': 'gzip' }
  const response = await ask('GET', `/scan/${qr_id}?lang=${lang}`, { headers })
  const { byteLength } = await response.arrayBuffer()
  console.info(`${page.what} scan page in ${lang} with a brand: ${byteLength} on the wire`)
  expect(byteLength).toBeGreaterThan(3_000)
  expect(byteLength).toBeLessThanOrEqual(8 * 1024)
})
