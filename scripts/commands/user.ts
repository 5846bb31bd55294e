import { Argument, type Command } from 'commander'
import { giveNewPassword, setBlocked, setPlan, verifyEmail } from '#db/accounts/account-changes.ts'
import { createAccount, type ListedAccount, listAccounts } from '#db/accounts/accounts.ts'
import type { PasswordSet } from '#db/accounts/passwords.ts'
import { COMMAND_LINE } from '#db/admin/audit-events.ts'
import { fromFlag } from '#db/cast.ts'
import { type Notify, openOutbox } from '#db/outbox.ts'
import type { Account } from '#db/schema.ts'
import { hashPassword, loadSecretKey } from '#db/secrets.ts'
import { normalizeEmail, normalizeMobile } from '#domain/accounts/contact.ts'
import { isUnproven } from '#domain/accounts/permission.ts'
import { nameProblem, passwordProblem, sendOtpProblem } from '#domain/accounts/registration.ts'
import { DomainError } from '#domain/error.ts'
import { PLAN_IDS, type PlanId } from '#domain/plans/plan.ts'
import { cleanLine } from '#domain/text.ts'
import { formatDate } from '#domain/time.ts'
import { passwordMail } from '#mail/account-notices.ts'
import { type Context, example, wantsJson, withDatabase } from '#scripts/_context.ts'
import { printAnswer, readNewPassword, toTable } from '#scripts/_terminal.ts'

type CreateOptions = { name: string; mobile?: string }

const CONTACT = new Argument('<contact>', 'the address or mobile number of the account')

export function addUserCommands(program: Command, context: Context): void {
  const user = program.command('user').description('accounts')
  user
    .command('create')
    .description('create an account; the password is read from a pipe or a prompt')
    .argument('<email>', 'the address to sign in with')
    .requiredOption('--name <name>', "the person's name")
    .option('--mobile <number>', 'a mobile number to sign in with as well')
    .addHelpText(
      'after',
      example(
        "user create asha@example.in --name 'Asha Patil'",
        "user create asha@example.in --name 'Asha Patil' < password.txt",
      ),
    )
    .action((email, options, command) => create(email, options, command, context))
  user
    .command('verify-email')
    .description('mark an address as verified, which roles require')
    .argument('<email>', "the account's address")
    .addHelpText('after', example('user verify-email asha@example.in'))
    .action((email, _options, command) => verify(email, command, context))
  user
    .command('block')
    .description('block an account from signing in; its codes stay reachable for finders')
    .addArgument(CONTACT)
    .addHelpText('after', example('user block ravi@example.in'))
    .action((contact, _options, command) => block(contact, true, command, context))
  user
    .command('unblock')
    .description('allow a blocked account to sign in again')
    .addArgument(CONTACT)
    .addHelpText('after', example('user unblock ravi@example.in'))
    .action((contact, _options, command) => block(contact, false, command, context))
  user
    .command('set-plan')
    .description('set the plan of an account with its quotas; a lower plan deletes no codes')
    .addArgument(CONTACT)
    .addArgument(new Argument('<plan>', 'the plan').choices(PLAN_IDS))
    .addHelpText('after', example('user set-plan ravi@example.in premium'))
    .action((contact, plan, _options, command) => changePlan(contact, plan, command, context))
  user
    .command('reset-password')
    .description('set a password, read from a pipe or a prompt, and end all sessions')
    .addArgument(CONTACT)
    .addHelpText('after', example('user reset-password ravi@example.in < password.txt'))
    .action((contact, _options, command) => resetPassword(contact, command, context))
  user
    .command('list')
    .description('list the accounts, oldest first')
    .addHelpText('after', example('user list --json'))
    .action((_options, command) => list(command, context))
}

async function create(
  typed: string,
  options: CreateOptions,
  command: Command,
  context: Context,
): Promise<void> {
  const email = normalizeEmail(typed)
  const mobile = options.mobile === undefined ? null : normalizeMobile(options.mobile)
  if (mobile === undefined) throw new DomainError('invalid', 'Please enter a valid mobile number')
  refuse(sendOtpProblem(email) ?? nameProblem(options.name))
  const password_hash = await readPasswordHash(context)
  const name = cleanLine(options.name) ?? ''
  await withDatabase(context, async ({ db, now }) => {
    const account = await createAccount(
      db,
      { name, email, mobile, password_hash },
      COMMAND_LINE,
      now,
    )
    const view = toView({ ...account, qr_count: 0 })
    printAnswer(context.terminal, wantsJson(command), view, () => `${email} can sign in now`)
  })
}

async function readPasswordHash({ terminal }: Context): Promise<string> {
  const { password, confirmPassword } = await readNewPassword(terminal)
  refuse(passwordProblem({ password, confirmPassword }))
  return hashPassword(password)
}

async function verify(email: string, command: Command, context: Context): Promise<void> {
  await withDatabase(context, async ({ db, now }) => {
    printChange(await verifyEmail(db, email, now), command, context, 'is verified')
  })
}

async function block(
  contact: string,
  isBlocked: boolean,
  command: Command,
  context: Context,
): Promise<void> {
  await withDatabase(context, async ({ db, now }) => {
    const account = await setBlocked(db, { contact, isBlocked }, now)
    printChange(account, command, context, isBlocked ? 'is blocked' : 'can sign in again')
  })
}

async function changePlan(contact: string, plan: PlanId, command: Command, context: Context) {
  await withDatabase(context, async ({ db, now }) => {
    const account = await setPlan(db, { contact, plan }, now)
    printChange(account, command, context, `is on the ${plan} plan`)
  })
}

async function resetPassword(contact: string, command: Command, context: Context): Promise<void> {
  const passwordHash = await readPasswordHash(context)
  await withDatabase(context, async ({ db, config, now }) => {
    const key = loadSecretKey(config.dataDir)
    const outbox = openOutbox(db, key, () => now, Boolean(config.mail.smtpUrl))
    const origin = { site: new URL(config.publicUrl).host, timezone: config.timezone, now }
    const notify: Notify<PasswordSet> = (trx, set) =>
      outbox.putTo(trx, {
        accountId: set.accountId,
        ...passwordMail({ ...origin, ...set, way: 'operator' }),
      })
    const account = await giveNewPassword(db, key, { contact, passwordHash }, now, notify)
    printChange(account, command, context, 'can sign in with the new password')
  })
}

function printChange(account: Account, command: Command, { terminal }: Context, what: string) {
  const { id, email, mobile, role, subscription_plan, qr_limit, child_qr_quota } = account
  const is_active = fromFlag(account.is_active)
  const plan = { subscription_plan, qr_limit, child_qr_quota }
  const view = { id, email, mobile, role, is_active, ...plan }
  printAnswer(terminal, wantsJson(command), view, () => `${email ?? mobile} ${what}`)
}

function refuse(problem: string | undefined): void {
  if (problem) throw new DomainError('invalid', problem)
}

async function list(command: Command, context: Context): Promise<void> {
  await withDatabase(context, async ({ db, config }) => {
    const all = await listAccounts(db)
    printAnswer(context.terminal, wantsJson(command), all.map(toView), () =>
      all.length === 0
        ? 'There is no account yet. Create one with: user create EMAIL --name NAME'
        : toTable(
            ['CONTACT', 'NAME', 'ROLE', 'PLAN', 'CODES', 'STATUS', 'JOINED'],
            all.map((each) => [
              `${each.email ?? each.mobile ?? ''}${isUnproven(each) ? ' (not verified)' : ''}`,
              each.name,
              each.role,
              each.subscription_plan,
              each.qr_count,
              fromFlag(each.is_active) ? 'active' : 'blocked',
              formatDate(each.created_at, config.timezone),
            ]),
          ),
    )
  })
}

function toView(account: Omit<ListedAccount, 'doc_count' | 'expires_at'>) {
  const { id, name, email, mobile, role, subscription_plan, qr_count, qr_limit } = account
  const { child_qr_quota, parent_id, created_at } = account
  const is_active = fromFlag(account.is_active)
  const email_verified = account.email_verified_at !== null
  const plan = { subscription_plan, qr_count, qr_limit, child_qr_quota }
  return {
    id,
    name,
    email,
    email_verified,
    mobile,
    role,
    is_active,
    ...plan,
    parent_id,
    created_at,
  }
}
