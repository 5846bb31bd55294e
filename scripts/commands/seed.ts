import { randomInt } from 'node:crypto'
import type { Command } from 'commander'
import { type ListedAccount, listAccounts } from '#db/accounts/accounts.ts'
import { reasonOf } from '#db/reason.ts'
import type { Account } from '#db/schema.ts'
import { hashPassword, randomToken } from '#db/secrets.ts'
import { BEGIN_AGAIN, insertCodes, insertSample, insertScans } from '#db/seed.ts'
import { CommandError } from '#domain/error.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { withPlanNow } from '#domain/plans/term.ts'
import {
  type Context,
  example,
  type Installation,
  wantsJson,
  withDatabase,
} from '#scripts/_context.ts'
import { companyAccount, makeSample } from '#scripts/_sample.ts'
import { companyCodes } from '#scripts/_sample-fleet.ts'
import { addHistory } from '#scripts/_sample-history.ts'
import { createRandom, type Random } from '#scripts/_sample-random.ts'
import { type MadeCode, makeScans } from '#scripts/_sample-scans.ts'
import { printAnswer, startProgress, type Terminal, toTable } from '#scripts/_terminal.ts'
import { wholeNumber } from '#scripts/_whole-number.ts'

type Options = { codes?: number; scans?: number; seed?: number }

const HOUSEHOLD_SCANS = 1200
const YEAR_DAYS = 365
const MONTH_DAYS = 30
const PASSWORD_LENGTH = 14
const LARGEST_SEED = 2 ** 32 - 1

export function addSeedCommand(program: Command, context: Context): void {
  program
    .command('seed')
    .description('add sample data for trying the service out; refused in production')
    .option('--codes <n>', 'also add a company with this number of codes', parseWhole)
    .option('--scans <n>', "number of scans of the company's codes (needs --codes)", parseWhole)
    .option('--seed <n>', 'the same number gives the same data', parseWhole)
    .addHelpText('after', example('seed', 'seed --codes 100000 --scans 1000000 --seed 1'))
    .action((options, command) => seed(options, command, context))
}

const parseWhole = wholeNumber(0, LARGEST_SEED)

async function seed(options: Options, command: Command, context: Context): Promise<void> {
  if (options.scans && !options.codes) command.error('error: --scans needs --codes')
  if (context.readConfig().production) {
    throw new CommandError('Sample data is refused in production')
  }
  const password = randomToken().slice(0, PASSWORD_LENGTH)
  const hash = await hashPassword(password)
  await withDatabase(
    context,
    async (installation) => {
      const random = createRandom(options.seed ?? randomInt(LARGEST_SEED))
      const sampling = { random, contactMode: installation.config.defaultContactMode }
      const { people, ...rows } = makeSample(sampling, installation.now, hash)
      const { qr_codes } = rows
      const company = options.codes ? companyAccount(random, installation.now, hash) : undefined
      const added = [...Object.values(people), ...(company ? [company] : [])]
      // All accounts at once: one that exists already refuses the whole sample.
      await insertSample(installation.db, { accounts: added, ...rows })
      await completely(addPast(installation, random, { people, ...rows }))
      if (company)
        await completely(addFleet(installation, company, random, options, context.terminal))
      const ids = added.map(({ id }) => id)
      // Read again, because the history changes plans and roles.
      const accounts = (await listAccounts(installation.db)).filter(({ id }) => ids.includes(id))
      const answer = {
        password,
        accounts: accounts.map((account) => toView(account, installation.now)),
        qr_codes: qr_codes.length + (options.codes ?? 0),
        scans: HOUSEHOLD_SCANS + (options.scans ?? 0),
        login_url: `${installation.config.publicUrl}/login`,
        scan_url: `${installation.config.publicUrl}/scan/${qr_codes[0]?.qr_id}`,
      }
      printAnswer(context.terminal, wantsJson(command), answer, () => toText(answer))
    },
    { mayBegin: true },
  )
}

/** Adds to the error how to begin again, because part of the data may have been added. */
async function completely(adding: Promise<void>): Promise<void> {
  return adding.catch((error: unknown) => {
    throw new Error(`The sample data is incomplete: ${reasonOf(error)}. ${BEGIN_AGAIN}`)
  })
}

/** Adds the household's scans and history. Only claimed codes have scans: others redirect the finder. */
async function addPast(
  installation: Installation,
  random: Random,
  sample: ReturnType<typeof makeSample>,
) {
  const scanned = sample.qr_codes.filter(({ is_claimed }) => is_claimed === 1)
  const when = { now: installation.now, timezone: installation.config.timezone, days: YEAR_DAYS }
  await insertScans(installation.db, makeScans(scanned, HOUSEHOLD_SCANS, random, when), () => {})
  await addHistory(installation, sample, random)
}

/** Adds the company's codes and scans, in many transactions, so that a server is not blocked. */
async function addFleet(
  { db, config, now }: Installation,
  company: Account,
  random: Random,
  { codes = 0, scans = 0 }: Options,
  terminal: Terminal,
): Promise<void> {
  const progress = startProgress(terminal, codes + scans)
  const made: MadeCode[] = []
  const when = { now, timezone: config.timezone, days: MONTH_DAYS }
  try {
    await insertCodes(
      db,
      tap(
        companyCodes(company, codes, { random, contactMode: config.defaultContactMode }, now),
        ({ qr_id, created_at }) => made.push({ qr_id, created_at }),
      ),
      progress.advance,
    )
    await insertScans(db, makeScans(made, scans, random, when), progress.advance)
  } finally {
    progress.end()
  }
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

function toView(account: ListedAccount, now: Date) {
  const { email, name, role, subscription_plan } = withPlanNow(account, now)
  return { email, name, role, subscription_plan }
}

function toText({ password, accounts, login_url, scan_url }: Answer): string {
  const rows = accounts.map(({ email, name, role, subscription_plan }) => {
    return [email ?? '', name, role, ...(hasPlans() ? [subscription_plan] : [])]
  })
  return [
    toTable(['E-MAIL', 'NAME', 'ROLE', ...(hasPlans() ? ['PLAN'] : [])], rows),
    '',
    `Sign in at ${login_url} with any of these and the password ${password}`,
    `See a code as a finder: ${scan_url}`,
  ].join('\n')
}
