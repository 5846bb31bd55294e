/**
 * `node lab/pictures.ts`: draws the pictures of the landing page and of the README from the sample data, with the
 * present build. It needs Chromium.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import Sqlite from 'better-sqlite3'
import { startProduct } from '#lab/bench/support/processes.ts'
import { findOrFail } from '#scripts/bootstrap/programs.mjs'

const OWNER = 'demo@driveqr.example'
/** They stand on the landing page of servers without plans too. */
const PLANS = 'off'
const PHONE = { width: 390, height: 780 }
const DESKTOP = { width: 1280, height: 800 }

type Picture = {
  file: string
  path: string
  size: typeof PHONE
  isOwners?: boolean
  opens?: string
}

const folder = mkdtempSync(join(tmpdir(), 'driveqr-pictures-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const password = fillIn(folder)
const { url, stop } = await startProduct('/login', { DATA_DIR: folder, PLANS })
const executablePath = await findOrFail('chromium')
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  const pictures: Picture[] = [
    { file: 'components/site/pictures/hidden.webp', path: scanPath('relay'), size: PHONE },
    {
      file: 'components/site/pictures/reminders.webp',
      path: '/dashboard',
      size: PHONE,
      isOwners: true,
    },
    {
      file: 'components/site/pictures/languages.webp',
      path: `${scanPath('public')}?lang=hi`,
      size: PHONE,
    },
    { file: 'docs/images/scan.webp', path: scanPath('public'), size: PHONE },
    { file: 'docs/images/dashboard.webp', path: '/dashboard', size: DESKTOP, isOwners: true },
    {
      file: 'docs/images/documents.webp',
      path: '/dashboard?tab=documents',
      size: DESKTOP,
      isOwners: true,
    },
    {
      file: 'docs/images/messages.webp',
      path: '/dashboard?tab=messages',
      size: DESKTOP,
      isOwners: true,
      opens: 'I found these keys',
    },
  ]
  for (const picture of pictures) await draw(picture)
  await drawHero('docs/images/hero.webp')
} finally {
  await browser.close()
  await stop()
}

/** Fills an empty installation with the sample data. Returns the password of its accounts. */
function fillIn(dataDir: string): string {
  const env = { ...process.env, DATA_DIR: dataDir, PLANS }
  const said = execFileSync(process.execPath, ['dist/driveqr.js', 'seed', '--seed', '1'], {
    env,
    encoding: 'utf8',
  })
  const found = said.match(/the password (\S+)/)?.[1]
  if (!found) throw new Error('The sample data has no password')
  return found
}

/** Returns the path of a claimed code of the owner with a number plate. */
function scanPath(mode: 'relay' | 'public'): string {
  const db = new Sqlite(join(folder, 'driveqr.db'), { readonly: true })
  const found = db
    .prepare(
      `select qr_id from qr_codes join accounts on accounts.id = owner_id
       where accounts.email = ? and contact_mode = ? and lost_since is null and vehicle_registration is not null
       order by qr_codes.created_at limit 1`,
    )
    .pluck()
    .get(OWNER, mode)
  db.close()
  if (!found) throw new Error(`The sample data has no code with the contact mode ${mode}`)
  return `/scan/${found}`
}

async function draw({ file, path, size, isOwners = false, opens }: Picture): Promise<void> {
  const viewer = await browser.newContext({ baseURL: url, locale: 'en-IN', viewport: size })
  if (isOwners) await signIn(viewer)
  const page = await viewer.newPage()
  await page.goto(path, { waitUntil: 'networkidle' })
  // The message of the operator would cover half of it.
  const next = page.locator('dialog[open] button')
  if (await next.isVisible()) await next.click()
  if (opens) await page.getByText(opens).first().click()
  await page.waitForLoadState('networkidle')
  await capture(page, file)
  await viewer.close()
}

async function capture(page: Page, file: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 70 })
  writeFileSync(file, Buffer.from(data, 'base64'))
}

/** Draws the picture at the top of the README from the key ring of the landing page and two pictures above. */
async function drawHero(file: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1600, height: 800 } })
  await page.goto(url)
  const art = await page.locator('.hero-art').evaluate(({ outerHTML }) => outerHTML)
  await page.goto('about:blank')
  const embed = (name: string) =>
    `data:image/webp;base64,${readFileSync(`docs/images/${name}.webp`, 'base64')}`
  const html = readFileSync('lab/support/hero.html', 'utf8')
    .replace('{art}', art)
    .replace('{dashboard}', embed('dashboard'))
    .replace('{scan}', embed('scan'))
  await page.setContent(html, { waitUntil: 'load' })
  await capture(page, file)
  await page.close()
}

async function signIn({ request }: BrowserContext): Promise<void> {
  const form = { contact: OWNER, password }
  const headers = { Origin: url, 'Sec-Fetch-Site': 'same-origin' }
  const answer = await request.post('/login?mode=password', { form, headers })
  if (!answer.url().endsWith('/dashboard')) throw new Error(`The sign-in led to ${answer.url()}`)
}
