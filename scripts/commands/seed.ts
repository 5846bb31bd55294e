import { randomInt } from 'node:crypto'
import { type Command, InvalidArgumentError } from 'commander'
import { listAccounts } from '#db/accounts/accounts.ts'
import { hashPassword, randomToken } from '#db/secrets.ts'
import { insertCodes, insertSample, insertScans } from '#db/seed.ts'
import { DomainError } from '#domain/error.ts'
import { type Context, example, type House, wantsJson, withDatabase } from '#scripts/_context.ts'
import { companyAccount, makeSample } from '#scripts/_sample.ts'
import { companyCodes } from '#scripts/_sample-fleet.ts'
import { addHistory } from '#scripts/_sample-history.ts'
import { createRandom, type Random } from '#scripts/_sample-random.ts'
import { type MadeCode, makeScans } from '#scripts/_sample-scans.ts'
import { printAnswer, startProgress, type Terminal, toTable } from '#scripts/_terminal.ts'

type Options = { codes?: number; scans?: number; seed?: number }

const HOUSEHOLD_SCANS = 1200
const YEAR_DAYS = 365
const MONTH_DAYS = 30
const PASSWORD_LENGTH = 14
const LARGEST_SEED = 2 ** 32 - 1

export function addSeedCommand(program: Command, context: Context): void {
  program
    .command('seed')
    .description('sample data for a look around; never in production')
    .option('--codes <n>', 'a company with so many codes, too', parseWhole)
    .option('--scans <n>', "so many scans of the company's codes (needs --codes)", parseWhole)
    .option('--seed <n>', 'the same data for the same number', parseWhole)
    .addHelpText('after', example('seed', 'seed --codes 100000 --scans 1000000 --seed 1'))
    .action((options, command) => seed(options, command, context))
}

function parseWhole(text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number <= LARGEST_SEED) return number
  throw new InvalidArgumentError('It must be a whole number.')
}

async function seed(options: Options, command: Command, context: Context): Promise<void> {
  if (options.scans && !options.codes) command.error('error: --scans needs --codes')
  if (context.readConfig().production) {
    throw new DomainError('forbidden', 'Sample data does not belong into production')
  }
  const password = randomToken().slice(0, PASSWORD_LENGTH)
  const hash = await hashPassword(password)
  await withDatabase(context, async (house) => {
    const random = createRandom(options.seed ?? randomInt(LARGEST_SEED))
    const sample = await addHousehold(house, random, hash)
    const company = options.codes
      ? await addCompany(house, random, hash, options, context.terminal)
      : undefined
    const answer = {
      password,
      accounts: [...sample.accounts, ...(company ? [company] : [])].map(toView),
      qr_codes: sample.qr_codes.length + (options.codes ?? 0),
      scans: HOUSEHOLD_SCANS + (options.scans ?? 0),
      login_url: `${house.config.publicUrl}/login`,
      scan_url: `${house.config.publicUrl}/scan/${sample.qr_codes[0]?.qr_id}`,
    }
    printAnswer(context.terminal, wantsJson(command), answer, () => toText(answer))
  })
}

/** Scans of claimed codes only: the others send whoever scans them on. */
async function addHousehold(house: House, random: Random, hash: string) {
  const { db, config, now } = house
  const { people, ...rows } = makeSample(random, now, hash)
  await insertSample(db, { accounts: Object.values(people), ...rows })
  const scanned = rows.qr_codes.filter(({ is_claimed }) => is_claimed === 1)
  const when = { now, timezone: config.timezone, days: YEAR_DAYS }
  await insertScans(db, makeScans(scanned, HOUSEHOLD_SCANS, random, when), () => {})
  await addHistory(house, { people, ...rows }, random)
  return { qr_codes: rows.qr_codes, accounts: await listAccounts(house.db) }
}

async function addCompany(
  { db, config, now }: House,
  random: Random,
  hash: string,
  { codes = 0, scans = 0 }: Options,
  terminal: Terminal,
) {
  const company = companyAccount(random, now, hash)
  await insertSample(db, { accounts: [company] })
  const progress = startProgress(terminal, codes + scans)
  const made: MadeCode[] = []
  await insertCodes(
    db,
    tap(companyCodes(company, codes, random, now), ({ qr_id, created_at }) =>
      made.push({ qr_id, created_at }),
    ),
    progress.advance,
  )
  const when = { now, timezone: config.timezone, days: MONTH_DAYS }
  await insertScans(db, makeScans(made, scans, random, when), progress.advance)
  progress.end()
  return company
}

function* tap<T>(all: Iterable<T>, see: (one: T) => void): Generator<T> {
  for (const one of all) {
    see(one)
    yield one
  }
}

type Answer = {
  password: string
  accounts: ReturnType<typeof toView>[]
  login_url: string
  scan_url: string
}

function toView(account: {
  email: string | null
  name: string
  role: string
  subscription_plan: string
}) {
  const { email, name, role, subscription_plan } = account
  return { email, name, role, subscription_plan }
}

function toText({ password, accounts, login_url, scan_url }: Answer): string {
  const rows = accounts.map(({ email, name, role, subscription_plan }) => {
    return [email ?? '', name, role, subscription_plan]
  })
  return [
    toTable(['E-MAIL', 'NAME', 'ROLE', 'PLAN'], rows),
    '',
    `Sign in at ${login_url} with any of these and the password ${password}`,
    `Or find somebody's keys: ${scan_url}`,
  ].join('\n')
}
