import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { QrMade } from '#components/codes/qr-made.tsx'
import { SelectField, TextField } from '#components/forms/field.tsx'
import { Tabs } from '#components/frame/tabs.tsx'
import { TopBar } from '#components/frame/top-bar.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { IconSprite } from '#components/icons/icon-sprite.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Pager } from '#components/ui/pager.tsx'
import { formatPlate } from '#domain/codes/plate.ts'

describe('a field', () => {
  test('comes as label, hint, control, error, tied together', () => {
    const html = renderToStaticMarkup(
      <TextField
        id="f"
        label="Email"
        hint="We write to it."
        error="Please enter it"
        name="email"
      />,
    )
    expect(html).toMatch(/<label for="f">.*id="f-hint".*<input.*id="f-error"/)
    expect(html).toContain('aria-describedby="f-hint f-error"')
    expect(html).toContain('aria-invalid="true"')
  })

  test('says nothing about hint or error that it does not have', () => {
    const html = renderToStaticMarkup(<TextField label="Email" />)
    expect(html).not.toContain('aria-')
  })

  test('marks what is optional', () => {
    const html = renderToStaticMarkup(<SelectField label="Blood Group" optional />)
    expect(html).toContain('<small> (optional)</small>')
  })
})

test('how many codes were made, and which page this is, are written as other counts', () => {
  const made = renderToStaticMarkup(<QrMade count={1000} zip_href="/zip" labels_href="/labels" />)
  expect(made).toContain('1,000 created')
  const pager = renderToStaticMarkup(<Pager page={1000} pages={1234} />)
  expect(pager).toContain('Page 1,000 of 1,234')
})

describe('a plate', () => {
  test.each([
    ['MH12QX4827', 'MH 12 QX 4827'],
    ['ka-05 mn 7310', 'KA 05 MN 7310'],
    ['DL1CAB1234', 'DL 1C AB 1234'],
    ['22BH1234AA', '22 BH 1234 AA'],
    ['AP091', 'AP 09 1'],
  ])('spaces %s as it is printed', (registration, shown) => {
    expect(formatPlate(registration)).toBe(shown)
  })

  test('leaves what is not of an Indian pattern as it was typed', () => {
    expect(formatPlate(' b-mw 4711x ')).toBe('B-MW 4711X')
  })
})

test('a dialog is named by its title and its close button needs no script', () => {
  const html = renderToStaticMarkup(<Dialog title="Delete this QR code?">text</Dialog>)
  const [, id] = /aria-labelledby="([^"]+)"/.exec(html) ?? []
  expect(html).toContain(`<h2 id="${id}" tabindex="-1"`)
  expect(html).toMatch(/<form[^>]* method="dialog">.*<button[^>]*aria-label="Close"/)
})

test('an icon, which stands beside words, is silent', () => {
  expect(renderToStaticMarkup(<Icon name="qr" />)).toContain('aria-hidden="true"')
})

test('a sprite has the shapes that are asked for and no others', () => {
  const html = renderToStaticMarkup(<IconSprite names={['qr', 'phone']} />)
  expect([...html.matchAll(/id="(i-[a-z-]+)"/g)].map(([, id]) => id)).toEqual(['i-qr', 'i-phone'])
})

test('tabs mark the current page, and show a count only where something waits', () => {
  const tab = { href: '/a', icon: 'qr' } as const
  const tabs = [
    { ...tab, id: 'a', label: 'One', pending: 2 },
    { ...tab, id: 'b', label: 'Two', pending: 0 },
  ]
  const html = renderToStaticMarkup(<Tabs label="Pages" tabs={tabs} current="b" />)
  expect(html.match(/aria-current="page"/g)).toHaveLength(1)
  expect(html.match(/class="count"/g)).toHaveLength(1)
})

test('the way to administration shows to administrators alone', () => {
  for (const role of ['client', 'premium', 'moderator', 'admin', 'super_admin'] as const) {
    const html = renderToStaticMarkup(<TopBar account={{ role, subscription_plan: 'premium' }} />)
    expect(html.includes('/admin-dashboard'), role).toBe(role === 'admin' || role === 'super_admin')
  }
})

test('logging out is a post, so that no link or prefetch can do it', () => {
  const account = { role: 'client', subscription_plan: 'premium' } as const
  const html = renderToStaticMarkup(<TopBar account={account} />)
  expect(html).toMatch(/<form[^>]* action="\/logout" method="post">/)
  expect(html).not.toContain('href="/logout"')
})
