import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { ErrorPage } from '#components/site/error-page.tsx'
import { LandingPage } from '#components/site/landing-page.tsx'
import { PrivacyPage } from '#components/site/privacy-page.tsx'
import { TermsPage } from '#components/site/terms-page.tsx'
import { planViews } from '#domain/plans/plan.ts'
import { en } from '#locales/catalogue.ts'

const plans = planViews({ premium: 999, enterprise: 9999 })

const KEPT = { scans: 400, views: 0, audit: 1100, log: 1 }

const pictures = {
  hidden: '/hidden.webp',
  reminders: '/reminders.webp',
  languages: '/languages.webp',
}

const pages = {
  landing: <LandingPage plans={plans} pictures={pictures} />,
  terms: <TermsPage supportEmail="help@example.in" />,
  privacy: <PrivacyPage operator={{}} retention={KEPT} version="1" provider="Google" />,
  error: <ErrorPage words={en} message="QR code not found" />,
}

test.each(Object.entries(pages))('%s has no script and no style attribute', (_, page) => {
  expect(renderToStaticMarkup(page)).not.toMatch(/<script|\sstyle=|\son[a-z]+=/)
})

describe('the landing page', () => {
  const html = renderToStaticMarkup(pages.landing)

  test.each([
    ['Login', '/login'],
    ['Get Started', '/login'],
    ['Create My QR Code', '/login'],
    ['See Demo', '/scan/DEMO'],
    ['Create Free Account', '/login'],
    ['View Pricing', '#pricing'],
  ])('%s leads to %s', (label, href) => {
    expect(html).toMatch(new RegExp(`href="${href}">${label}</a>`))
  })

  test('View Pricing has somewhere to go on the same page', () => {
    expect(html.match(/id="pricing"/g)).toHaveLength(1)
    expect(html).toContain('₹999')
  })

  test.each([
    'Lost &amp; Found System',
    'Digital Document Storage',
    'Police Authority Access',
    'Mobile Optimized',
    'Scan Analytics',
    'Multi-User Support',
    'How It Works',
    '© 2024 DriveQR',
    'Your number stays hidden',
    'Reminders in time',
    'Eleven languages',
    'runs on your own server',
  ])('says %s', (words) => {
    expect(html).toContain(words)
  })
})

test('the landing page shows pictures with a text, a size and no load before they are near', () => {
  const images = renderToStaticMarkup(pages.landing).match(/<img[^>]*>/g) ?? []
  expect(images).toHaveLength(3)
  for (const image of images) {
    expect(image).toMatch(/alt="[^"]{20,}" width="390" height="780" loading="lazy"/)
  }
})

test('terms and privacy name an address only where there is one', () => {
  expect(renderToStaticMarkup(pages.terms)).toContain('mailto:help@example.in')
  expect(renderToStaticMarkup(pages.privacy)).not.toContain('mailto:')
})

test('the privacy page says how an account is deleted, with and without access to it', () => {
  const text = renderToStaticMarkup(pages.privacy)
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
  for (const said of [
    'You delete your whole account under Settings, Your data',
    'For 7 days a mailed link takes it back, then it is gone for good',
    'If you cannot log in to your account, write to the people who run this site',
  ]) {
    expect(text).toContain(said)
  }
})

test('the privacy page names the data of messages, their retention and their readers', () => {
  const text = renderToStaticMarkup(pages.privacy)
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
  for (const said of [
    'Messages between finders and owners',
    'the reason, and if they choose to, a text, a place, a location, a photo, a name, and an email',
    'the parent account does not',
    'closes 30 days after its last message',
    'deleted 30 days after that, and everything else 90 days after it closed',
    'moderators and administrators read what was reported',
  ]) {
    expect(text).toContain(said)
  }
})
