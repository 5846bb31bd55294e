import { describe, expect, it } from 'vitest'
import {
  countsAsScan,
  deviceKind,
  isOwnCode,
  PUBLIC_SCAN_FIELDS,
  privateScanFields,
  publicScanFields,
  referrerKind,
  scanState,
} from '#domain/scans/scan.ts'

const code = {
  owner_id: 'owner',
  child_account_id: 'child' as string | null,
  qr_type: 'normal',
  is_active: true as boolean | number,
  is_claimed: true as boolean | number,
  is_child_registered: false as boolean | number,
  awaits_guardian: 0,
}
const unregistered = { ...code, qr_type: 'child', is_claimed: false, child_account_id: null }
const finder = { accountId: undefined, preview: false }
const stranger = { accountId: 'stranger', preview: false }
const owner = { accountId: 'owner', preview: false }

describe('the state of a scan', () => {
  it('is not found for a code that is not there or inactive, to its owner too', () => {
    expect(scanState(undefined, finder)).toBe('not_found')
    for (const viewer of [finder, owner, { ...owner, preview: true }]) {
      expect(scanState({ ...unregistered, is_active: false }, viewer)).toBe('not_found')
    }
  })

  it('is a welcome to the owner and to the child user, before all else', () => {
    for (const accountId of ['owner', 'child']) {
      expect(scanState(code, { accountId, preview: false })).toBe('owner')
    }
    expect(scanState(unregistered, owner)).toBe('owner')
    expect(scanState({ ...code, is_claimed: false }, owner)).toBe('owner')
  })

  it('is unregistered before unclaimed', () => {
    expect(scanState(unregistered, finder)).toBe('unregistered')
    expect(scanState({ ...unregistered, is_claimed: true }, finder)).toBe('unregistered')
  })

  it('is unclaimed for a code without contact details', () => {
    expect(scanState({ ...code, is_claimed: false }, finder)).toBe('unclaimed')
  })

  it('is the contact page for everybody else', () => {
    expect(scanState(code, finder)).toBe('contact')
    expect(scanState(code, stranger)).toBe('contact')
    const registered = { ...code, qr_type: 'child', is_child_registered: true }
    expect(scanState(registered, finder)).toBe('contact')
  })

  it('is waiting while the guardian of the child user has not confirmed, to the owner’s preview too', () => {
    const waiting = { ...code, qr_type: 'child', is_child_registered: true, awaits_guardian: 1 }
    expect(scanState(waiting, finder)).toBe('waiting')
    expect(scanState(waiting, { accountId: 'owner', preview: true })).toBe('waiting')
    expect(scanState(waiting, owner)).toBe('owner')
    expect(scanState({ ...waiting, is_active: false }, finder)).toBe('not_found')
  })

  it('is in a preview what a finder would see', () => {
    for (const accountId of ['owner', 'child', 'stranger', undefined]) {
      expect(scanState(code, { accountId, preview: true })).toBe('contact')
    }
    expect(scanState(unregistered, { accountId: 'owner', preview: true })).toBe('unregistered')
  })

  it('reads the flags of a database row', () => {
    const row = { ...code, is_active: 1, is_claimed: 0 }
    expect(scanState(row, finder)).toBe('unclaimed')
    expect(scanState({ ...row, is_active: 0 }, finder)).toBe('not_found')
  })

  it('has no child owner for a code without a child user', () => {
    expect(isOwnCode({ owner_id: 'owner', child_account_id: null }, undefined)).toBe(false)
    expect(isOwnCode(code, 'stranger')).toBe(false)
  })
})

describe('the data that a finder may see', () => {
  const secret = {
    driving_license_number: 'KA05 20180012345',
    insurance_policy_number: 'P-1',
    insurance_expiry_date: '2025-03-31',
    notes_instructions: 'spare key at the neighbour’s',
  }
  const open = {
    owner_name: 'Ramesh Kulkarni',
    contact_phone: '+91 98765 43210',
    email: 'r@example.in',
    city_area: 'Pune',
    emergency_contact_name: 'Sunita',
    emergency_contact_phone: '+91 90000 12345',
    blood_group: 'O+',
    vehicle_registration: 'MH12QX4827',
    vehicle_make_model: 'Swift',
    company_fleet_name: null,
    public_message: 'Thank you',
  }
  const row = {
    ...code,
    ...secret,
    ...open,
    next_service_due: '2024-09-15',
    pin_hash: 'x',
    id: 'i',
    claimed_at: null,
    user_is_active: 1,
    contact_mode: 'public',
    show_vehicle: 1,
    show_city: 1,
  } as const

  it('is the eleven public fields and nothing beside', () => {
    expect(publicScanFields(row)).toEqual(open)
    expect(PUBLIC_SCAN_FIELDS).toHaveLength(11)
  })

  it('is empty while nobody has claimed or registered the code, or its user waits for the guardian', () => {
    const empty = Object.fromEntries(Object.keys(open).map((name) => [name, null]))
    expect(publicScanFields({ ...row, is_claimed: 0 })).toEqual(empty)
    expect(publicScanFields({ ...row, qr_type: 'child', is_child_registered: 0 })).toEqual(empty)
    expect(publicScanFields({ ...row, awaits_guardian: 1 })).toEqual(empty)
  })

  it('is with the PIN the four private fields and nothing beside', () => {
    expect(privateScanFields(row)).toEqual(secret)
  })
})

const AGENTS = {
  android:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
  cubot:
    'Mozilla/5.0 (Linux; Android 10; CUBOT NOTE 20) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/96.0 Mobile Safari/537.36',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  facebookApp:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 [FBAN/FBIOS;FBAV/470.0]',
  instagramApp:
    'Mozilla/5.0 (Linux; Android 13; SM-A536E) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36 Instagram 337.0.0.0 Android',
  kaios: 'Mozilla/5.0 (Mobile; LYF/F320B; Android; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5',
  operaMini: 'Opera/9.80 (J2ME/MIDP; Opera Mini/9.80/191.0; U; en) Presto/2.5.25 Version/10.54',
  androidTablet:
    'Mozilla/5.0 (Linux; Android 13; SM-X700) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
  ipad: 'Mozilla/5.0 (iPad; CPU OS 15_8 like Mac OS X) AppleWebKit/605.1.15 Version/15.6 Mobile/15E148 Safari/604.1',
  windows:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15',
  linux: 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
  chromeOs:
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36',
  curl: 'curl/8.7.1',
}

const ROBOTS = [
  'WhatsApp/2.23.20.0 A',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'Twitterbot/1.0',
  'TelegramBot (like TwitterBot)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Slack-ImgProxy (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; +http://www.linkedin.com)',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) Chrome/126.0 Mobile Safari/537.36 (compatible; Googlebot/2.1)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  'Mozilla/5.0 (compatible; Baiduspider/2.0)',
  'Mozilla/5.0 (compatible; YouBot/1.0)',
  'Mozilla/5.0 (compatible; Google-InspectionTool/1.0)',
  'CCBot/2.0 (https://commoncrawl.org/faq/)',
  'some crawler',
]

describe('a request that is counted as a scan', () => {
  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    countsAsScan({ method, headers: new Headers(headers) })

  it.each(Object.entries(AGENTS))('is one of %s', (_, agent) => {
    expect(get({ 'user-agent': agent })).toBe(true)
  })

  it('is one of a client without a name', () => expect(get()).toBe(true))

  it.each(ROBOTS)('is not one of %s', (agent) => expect(get({ 'user-agent': agent })).toBe(false))

  it.each(['HEAD', 'POST', 'OPTIONS'])('is not a %s', (method) => {
    expect(get({ 'user-agent': AGENTS.android }, method)).toBe(false)
  })

  it.each([
    ['Sec-Purpose', 'prefetch'],
    ['Sec-Purpose', 'prefetch;prerender'],
    ['Sec-Purpose', 'prefetch;anonymous-client-ip'],
    ['Purpose', 'prefetch'],
    ['X-Purpose', 'preview'],
    ['X-Moz', 'prefetch'],
  ])('is not a prefetched page: %s: %s', (name, value) => {
    expect(get({ 'user-agent': AGENTS.android, [name]: value })).toBe(false)
  })
})

describe('the kind of a device', () => {
  it.each([
    ['phone', ['android', 'cubot', 'iphone', 'facebookApp', 'instagramApp', 'kaios', 'operaMini']],
    ['tablet', ['androidTablet', 'ipad']],
    ['desktop', ['windows', 'mac', 'linux', 'chromeOs']],
    ['other', ['curl']],
  ] as const)('is %s for %j', (kind, names) => {
    for (const name of names) expect([name, deviceKind(AGENTS[name])]).toEqual([name, kind])
  })

  it('is other without a user agent', () => {
    expect(deviceKind(undefined)).toBe('other')
    expect(deviceKind('')).toBe('other')
  })
})

describe('where a finder came from', () => {
  it.each([
    [undefined, 'direct'],
    ['', 'direct'],
    ['https://keys.example.in/dashboard', 'own'],
    ['https://keys.example.in:8443/', 'other'],
    ['http://keys.example.in/', 'other'],
    ['https://keys.example.in.evil.example/', 'other'],
    ['https://www.google.com/', 'search'],
    ['https://www.google.co.in/search?q=x', 'search'],
    ['android-app://com.google.android.googlequicksearchbox/', 'search'],
    ['https://duckduckgo.com/', 'search'],
    ['https://notgoogle.com/', 'other'],
    ['https://l.facebook.com/l.php', 'social'],
    ['https://t.co/abc', 'social'],
    ['https://web.whatsapp.com/', 'social'],
    ['android-app://com.whatsapp/', 'social'],
    ['https://notfacebook.com/', 'other'],
    ['https://netflix.com/', 'other'],
    ['about:blank', 'other'],
    ['not an address', 'other'],
  ])('%s is %s', (referer, kind) => {
    expect(referrerKind(referer, 'https://keys.example.in')).toBe(kind)
  })
})
