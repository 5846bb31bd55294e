import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { ScanDocument } from '#components/scans/scan-document.tsx'
import type { ScanState } from '#components/scans/scan-page.tsx'
import { SCAN_SHEETS, type ScanSheet } from '#domain/scans/scan-sheets.ts'
import type { ScanUnlock, ScanView } from '#domain/scans/scan-view.ts'
import { en, loadCatalogue } from '#locales/catalogue.ts'
import { LANGS, LANGUAGES } from '#locales/languages.ts'

const view: ScanView = {
  qr_id: '7K3MQ9WD4XTP',
  qr_type: 'normal',
  is_claimed: true,
  is_child_registered: false,
  has_pin: true,
  thing: 'keys',
  owner_name: 'Ramesh Kulkarni',
  contact_phone: '+919876543210',
  email: 'ramesh.k@example.in',
  city_area: 'Kothrud, Pune',
  emergency_contact_name: 'Sunita Kulkarni',
  emergency_contact_phone: '+919000012345',
  blood_group: 'O+',
  vehicle_registration: 'MH12QX4827',
  vehicle_make_model: 'Maruti Suzuki Swift VXi',
  company_fleet_name: null,
  public_message: 'Please call or return this to me.',
  is_default_message: false,
  is_relay: false,
  lost: null,
  links: {
    message: '/scan/7K3MQ9WD4XTP/message',
    call: { href: 'tel:+919876543210', display: '+91 98765 43210' },
    whatsapp: { href: 'https://wa.me/919876543210?text=', code: '7K3M-Q9WD-4XTP' },
    sms: 'sms:+919876543210',
    email: { href: 'mailto:ramesh.k@example.in?subject=', hasSubject: true },
    emergency: { name: 'Sunita Kulkarni', href: 'tel:+919000012345', display: '+91 90000 12345' },
  },
}

const privateFields = {
  driving_license_number: 'MH1220110012345',
  insurance_policy_number: 'P-778812',
  insurance_expiry_date: '31 Mar 2027',
  notes_instructions: null,
}

const CSS = Object.fromEntries(
  SCAN_SHEETS.map((sheet) => [sheet, `i.${sheet}>b{content:"&"}`]),
) as Record<ScanSheet, string>

function render(scan: ScanState, words = en, hasMenu = false): string {
  return renderToStaticMarkup(
    <ScanDocument hasMenu={hasMenu} words={words} css={CSS} scan={scan} />,
  )
}

function contact(changes: Partial<ScanView> = {}, unlock?: ScanUnlock): string {
  return render({ state: 'contact', view: { ...view, ...changes }, unlock })
}

describe('the contact page', () => {
  test('leads to the owner in one tap, the strongest way first', () => {
    const hrefs = [...contact().matchAll(/<a class="b[^"]*" href="([^"]*)"/g)]
    expect(hrefs.map(([, href]) => href)).toEqual([
      'tel:+919876543210',
      '/scan/7K3MQ9WD4XTP/message',
      'https://wa.me/919876543210?text=Hello!%20I%20found%20your%20keys.%20I%20scanned%20the%20DriveQR%20code%20on%20them%20(7K3M-Q9WD-4XTP).%20How%20can%20I%20return%20them%20to%20you%3F',
      'sms:+919876543210',
      'mailto:ramesh.k@example.in?subject=I%20found%20your%20keys',
      'tel:112',
      'tel:+919000012345',
    ])
  })

  test('keeps phone numbers left to right', () => {
    expect(contact()).toContain('dir="ltr">+91 98765 43210<')
    expect(contact()).toContain('dir="ltr">+91 90000 12345<')
  })

  test('shows the address that email goes to', () => {
    expect(contact()).toContain('Email<small dir="ltr">ramesh.k@example.in</small>')
  })

  test('makes email the main button of an owner without a phone', () => {
    const html = contact({ links: { email: { href: 'mailto:a@example.in', hasSubject: false } } })
    expect(html).toContain('<a class="b call" href="mailto:a@example.in">')
    expect(html).toContain('<small dir="ltr">ramesh.k@example.in</small>')
    expect(html).not.toContain('WhatsApp')
    expect(html).not.toContain('tel:+')
  })

  test('leaves out what the owner has not filled in, label and all', () => {
    const html = contact({
      vehicle_registration: null,
      public_message: null,
      city_area: null,
      vehicle_make_model: null,
    })
    expect(html).not.toContain('class="plate"')
    expect(html).not.toContain('<blockquote')
    expect(html).not.toContain('<h2 lang="" dir="auto">Ramesh Kulkarni</h2><p')
  })

  test('has a red box only for an emergency contact or a blood group', () => {
    const links = { call: view.links.call }
    expect(contact({ blood_group: null })).toContain('tel:112')
    expect(contact({ links })).toContain('O+')
    expect(contact({ links, blood_group: null })).not.toContain('tel:112')
  })

  test('shows what an owner wrote and never runs it', () => {
    const attack = '<script>alert(1)</script>'
    const html = contact({ owner_name: attack, public_message: attack, city_area: attack })
    expect(html).not.toContain('<script')
    expect(html.split('&lt;script&gt;alert(1)&lt;/script&gt;')).toHaveLength(4)
  })

  test('promises only that the owner can see this scan', () => {
    expect(contact()).toContain('The owner can see this scan.')
    expect(contact()).not.toContain('notified')
  })

  test('tells an owner who previews it that no scan is counted', () => {
    expect(render({ state: 'contact', view, preview: true })).toContain('No scan is counted.')
    expect(contact()).not.toContain('No scan is counted.')
  })
})

describe('the private section', () => {
  test('is not there without a PIN', () => {
    expect(contact({ has_pin: false })).not.toContain('name="pin"')
  })

  test('says beside the field why a PIN did not open it', () => {
    expect(contact({}, { outcome: 'incorrect' })).toMatch(/id="pe"[^>]*>Incorrect PIN</)
    expect(contact({}, { outcome: 'locked', retryAfter: 900 })).toMatch(/id="pe"[^>]*>[^<]*15 min/)
    expect(contact()).not.toContain('aria-invalid')
  })

  test('shows what it opened, and no form any more', () => {
    const html = contact({}, { outcome: 'opened', fields: privateFields })
    expect(html).toContain('MH1220110012345')
    expect(html).toContain('31 Mar 2027')
    expect(html).not.toContain('Notes')
    expect(html).not.toContain('name="pin"')
  })
})

describe('the popup', () => {
  const messages = [{ id: 'm', title: 'Hello', content: 'Mind the gap' }]

  test('comes before everything else and closes without script', () => {
    const html = render({ state: 'contact', view, popup: { images: [], messages } })
    expect(html).toMatch(/<body><dialog open="" [^>]*><form method="dialog">/)
    expect(html).toContain('>Continue to Contact Info</button>')
  })

  test('is a line below the contact of a lost code', () => {
    const lost = { since: '18 Nov 2026', note: 'Three keys', reward: '₹2,000' }
    const popup = { images: [], messages }
    const html = render({ state: 'contact', view: { ...view, lost }, popup })
    expect(html).not.toContain('<dialog')
    const [contact = '', line = ''] = html.split('<details class="line">')
    for (const text of ['Reported lost on 18 Nov 2026', 'Three keys', '₹2,000', 'Call owner']) {
      expect(contact).toContain(text)
    }
    expect(line).toMatch(/^<summary id="m">A message from DriveQR<.*Mind the gap/s)
    expect(html.split('id="shd"')).toHaveLength(2)
  })

  test('loads images late, into room of their size', () => {
    const images = [{ id: 'i', url: '/api/files/abc.webp', width: 400, height: 300 }]
    const html = render({ state: 'contact', view, popup: { images, messages: [] } })
    expect(html).toContain(
      '<img src="/api/files/abc.webp" alt="" width="400" height="300" loading="lazy"/>',
    )
    expect(html).not.toContain('preload')
  })
})

describe('the other states', () => {
  test('an owner is welcomed and sent to the dashboard after two seconds', () => {
    const html = render({ state: 'owner' })
    expect(html).toContain('<meta http-equiv="refresh" content="2; url=/dashboard"/>')
    expect(html).toContain('<h1>Welcome Back</h1>')
    expect(html).toMatch(/href="\/dashboard">Go to Dashboard Now</)
  })

  test('an unregistered child code leads to its registration', () => {
    const html = render({ state: 'unregistered', qr_id: view.qr_id })
    expect(html).toContain('<h1>Unregistered QR</h1>')
    expect(html).toMatch(/href="\/child-register\?qr=7K3MQ9WD4XTP">QR Register</)
  })

  test('an unknown code says so in the words of the specification', () => {
    const html = render({ state: 'not_found' })
    expect(html).toContain('<h1>QR Code Not Found</h1>')
    expect(html).toContain(
      'This QR code is invalid or no longer active. Please check the code and try again.',
    )
  })
})

describe.each(LANGS)('in %s', async (lang) => {
  const words = await loadCatalogue(lang)
  const states: ScanState[] = [
    {
      state: 'contact',
      view,
      popup: { images: [{ id: 'i', url: '/i', width: 4, height: 3 }], messages: [] },
    },
    { state: 'contact', view, unlock: { outcome: 'locked', retryAfter: 900 }, preview: true },
    { state: 'contact', view, unlock: { outcome: 'opened', fields: privateFields } },
    { state: 'owner' },
    { state: 'waiting' },
    { state: 'unregistered', qr_id: view.qr_id },
    { state: 'replaced', qr_id: view.qr_id, canMessage: true },
    { state: 'not_found' },
  ]

  test('no state has a script, a style attribute or a request of its own', () => {
    for (const html of states.map((scan) => render(scan, words))) {
      expect(html).not.toMatch(
        /<script|<link(?! rel="icon" href="data:,")|\sstyle=|\son[a-z]+=|src="(?!\/i")/,
      )
    }
  })

  test('the page says its language, and when asked the names of all others', () => {
    const { dir } = LANGUAGES[words.lang]
    for (const html of states.map((scan) => render(scan, words))) {
      expect(html).toContain(`<html lang="${words.lang}"${dir === 'rtl' ? ' dir="rtl"' : ''}>`)
      expect(html).toMatch(/<a class="lang" href="\?[^"]*lang="/)
      expect(html).not.toContain('<ul>')
    }
    const html = render({ state: 'not_found' }, words, true)
    for (const [other, { name }] of Object.entries(LANGUAGES)) {
      expect(html).toMatch(new RegExp(`href="\\?[^"]*lang=${other}" lang="${other}"[^>]*>${name}<`))
    }
  })
})

test('the CSS is inlined byte for byte, so that its hash allows it', () => {
  expect(render({ state: 'not_found' })).toContain(`<style>${CSS.notice}</style>`)
})
