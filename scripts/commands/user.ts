import { Argument, type Command, Option } from 'commander'
import { aboutPassword, aboutRemovedFactors } from '#actions/accounts/security-alerts.ts'
import {
  createAccount,
  freeEmail,
  getAccountOf,
  giveNewPassword,
  removeAllFactors,
  setBlocked,
  setPlan,
  verifyEmail,
} from '#db/accounts/account-changes.ts'
import { type ListedAccount, listAccounts } from '#db/accounts/accounts.ts'
import { COMMAND_LINE } from '#db/admin/audit-events.ts'
import { fromFlag, toInstant } from '#db/cast.ts'
import type { Account } from '#db/schema.ts'
import { hashPassword } from '#db/secrets.ts'
import { normalizeEmail, signInContact } from '#domain/accounts/contact.ts'
import { rolePasswordProblem } from '#domain/accounts/password-strength.ts'
import { isUnproven } from '#domain/accounts/permission.ts'
import { readPhone } from '#domain/accounts/phone.ts'
import {
  nameProblem,
  passwordProblem,
  profileProblem,
  sendOtpProblem,
} from '#domain/accounts/registration.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { PLAN_IDS, type PlanId } from '#domain/plans/plan.ts'
import { endOfPlan, MOST_MONTHS, type PlanState, withPlanNow } from '#domain/plans/term.ts'
import { cleanLine } from '#domain/text.ts'
import { formatDate } from '#domain/time.ts'
import { CONTACT } from '#scripts/_contact.ts'
import {
  type Answer,
  answering,
  answeringOnPlans,
  type Context,
  example,
  type Installation,
  mailing,
  refuse,
} from '#scripts/_context.ts'
import { readNewPassword, toTable } from '#scripts/_terminal.ts'
import { parseMonths, parseUntil, type Until } from '#scripts/_until.ts'
import { addInviteCommand } from '#scripts/commands/user-invite.ts'

type CreateOptions = { name: string; mobile?: string; verified?: boolean }

export function addUserCommands(program: Command, context: Context): void {
  const user = program.command('user').description('accounts')
  user
    .command('create')
    .description('create an account; the password is read from a pipe or a prompt')
    .argument('<email>', 'the address to sign in with')
    .requiredOption('--name <name>', "the person's name")
    .option('--mobile <number>', 'a mobile number to sign in with as well')
    .option('--verified', 'take the address as verified, which roles require')
    .addHelpText(
      'after',
      example(
        "user create asha@example.in --name 'Asha Patil'",
        "user create asha@example.in --name 'Asha Patil' --verified < password.txt",
      ),
    )
    .action((email, options, command) => create(email, options, command, context))
  addInviteCommand(user, context)
  user
    .command('verify-email')
    .description('mark an address as verified, which roles require')
    .argument('<email>', "the account's address")
    .addHelpText('after', example('user verify-email asha@example.in'))
    .action(answering(context, verify))
  user
    .command('free-email')
    .description('take an address that nobody has verified off its account')
    .argument('<email>', 'the address')
    .addHelpText('after', example('user free-email asha@example.in'))
    .action(answering(context, free))
  user
    .command('block')
    .description('block an account from signing in; its codes stay reachable for finders')
    .addArgument(CONTACT)
    .addHelpText('after', example('user block ravi@example.in'))
    .action(
      answering(context, (installation, contact: string) => block(installation, contact, true)),
    )
  user
    .command('unblock')
    .description('allow a blocked account to sign in again')
    .addArgument(CONTACT)
    .addHelpText('after', example('user unblock ravi@example.in'))
    .action(
      answering(context, (installation, contact: string) => block(installation, contact, false)),
    )
  user
    .command('set-plan', { hidden: !hasPlans() })
    .description('set the plan of an account with its quotas; a lower plan deletes no codes')
    .addArgument(CONTACT)
    .addArgument(new Argument('<plan>', 'the plan').choices(PLAN_IDS))
    .addOption(
      new Option('--months <n>', `1 to ${MOST_MONTHS}, added to the end of the plan that it has`)
        .argParser(parseMonths)
        .conflicts('until'),
    )
    .option('--until <date>', 'the last day (2026-12-31) or an instant in ISO 8601', parseUntil)
    .addHelpText(
      'after',
      example(
        'user set-plan ravi@example.in premium',
        'user set-plan ravi@example.in premium --months 1',
        'user set-plan ravi@example.in premium --until 2026-12-31',
      ),
    )
    .action(answeringOnPlans(context, changePlan))
  user
    .command('reset-password')
    .description('set a password, read from a pipe or a prompt, and end all sessions')
    .addArgument(CONTACT)
    .addHelpText('after', example('user reset-password ravi@example.in < password.txt'))
    .action((contact, _options, command) => resetPassword(contact, command, context))
  user
    .command('remove-factors')
    .description('take the second factor off an account whose holder lost it')
    .addArgument(CONTACT)
    .addHelpText('after', example('user remove-factors asha@example.in'))
    .action(answering(context, removeFactors))
  user
    .command('list')
    .description('list the accounts, oldest first')
    .addHelpText('after', example('user list --json'))
    .action(answering(context, list))
}

async function create(
  typed: string,
  options: CreateOptions,
  command: Command,
  context: Context,
): Promise<void> {
  const email = normalizeEmail(typed)
  refuse(profileProblem({ mobile: options.mobile }))
  const mobile = options.mobile ? (readPhone(options.mobile)?.e164 ?? null) : null
  refuse(sendOtpProblem(email) ?? nameProblem(options.name))
  const password_hash = await hashPassword(await readPassword(context))
  const name = cleanLine(options.name) ?? ''
  async function act({ db, now }: Installation): Promise<Answer> {
    const email_verified_at = options.verified ? toInstant(now) : null
    const wish = { name, email, mobile, password_hash, email_verified_at }
    const account = await createAccount(db, wish, COMMAND_LINE, now)
    return { view: toView({ ...account, qr_count: 0 }, now), text: `${email} can sign in now` }
  }
  await answering(context, act, { mayBegin: true })(command)
}

async function readPassword({ terminal }: Context): Promise<string> {
  const { password, confirmPassword } = await readNewPassword(terminal)
  refuse(passwordProblem({ password, confirmPassword }))
  return password
}

async function verify({ db, now }: Installation, email: string): Promise<Answer> {
  return toAnswer(await verifyEmail(db, email, now), now, 'is verified')
}

async function free({ db, now }: Installation, email: string): Promise<Answer> {
  const account = await freeEmail(db, email, now)
  return toAnswer(account, now, `signs in without ${normalizeEmail(email)} now`)
}

async function block(
  { db, now }: Installation,
  contact: string,
  isBlocked: boolean,
): Promise<Answer> {
  const account = await setBlocked(db, { contact, isBlocked }, now)
  return toAnswer(account, now, isBlocked ? 'is blocked' : 'can sign in again')
}

type PlanOptions = { months?: number; until?: Until }

async function changePlan(
  { db, config: { timezone }, now }: Installation,
  contact: string,
  plan: PlanId,
  { months, until }: PlanOptions,
): Promise<Answer> {
  const byDate = until ? { until: endOfPlan(until, timezone, now) } : undefined
  const end = months === undefined ? byDate : { months }
  const account = await setPlan(db, { contact, plan, end }, now, timezone)
  const day = account.term_ends_at && formatDate(account.term_ends_at, timezone)
  return toAnswer(account, now, `is on the ${plan} plan${day ? ` until ${day}` : ''}`)
}

async function resetPassword(contact: string, command: Command, context: Context): Promise<void> {
  const password = await readPassword(context)
  const passwordHash = await hashPassword(password)
  const answer = answering(context, async (installation) => {
    const { db, secretKey, now } = installation
    const notify = aboutPassword(mailing(installation), 'operator')
    const { role } = await getAccountOf(db, contact)
    refuse(rolePasswordProblem(role, password))
    const account = await giveNewPassword(db, secretKey, { contact, passwordHash }, now, notify)
    return toAnswer(account, now, 'can sign in with the new password')
  })
  await answer(command)
}

async function removeFactors(installation: Installation, contact: string): Promise<Answer> {
  const { db, now } = installation
  const account = await removeAllFactors(
    db,
    contact,
    now,
    aboutRemovedFactors(mailing(installation)),
  )
  return toAnswer(account, now, 'signs in with the password alone')
}

function toAnswer(account: Account, now: Date, what: string): Answer {
  const { id, email, mobile, login_id, role } = account
  const is_active = fromFlag(account.is_active)
  const { subscription_plan, subscription_ends_at, qr_limit, child_qr_quota } = withPlanNow(
    account,
    now,
  )
  const plan = { subscription_plan, subscription_ends_at, qr_limit, child_qr_quota }
  const view = { id, email, mobile, login_id, role, is_active, ...plan }
  return { view, text: `${signInContact(account)} ${what}` }
}

async function list({ db, config, now }: Installation): Promise<Answer> {
  const all = (await listAccounts(db)).map((each) => withPlanNow(each, now))
  const rows = all.map((each) => [
    `${signInContact(each)}${isUnproven(each) ? ' (not verified)' : ''}`,
    each.name,
    each.role,
    ...(hasPlans() ? planCells(each, config.timezone) : []),
    each.qr_count,
    fromFlag(each.is_active) ? 'active' : 'blocked',
    formatDate(each.created_at, config.timezone),
  ])
  const plan = hasPlans() ? ['PLAN', 'UNTIL'] : []
  const headings = ['CONTACT', 'NAME', 'ROLE', ...plan, 'CODES', 'STATUS', 'JOINED']
  return {
    view: all.map((each) => toView(each, now)),
    text:
      rows.length === 0
        ? 'There is no account yet. Create one with: user create EMAIL --name NAME'
        : toTable(headings, rows),
  }
}

function planCells({ subscription_plan, subscription_ends_at: end }: PlanState, timezone: string) {
  return [subscription_plan, end ? formatDate(end, timezone) : '']
}

function toView(stored: Omit<ListedAccount, 'doc_count' | 'expires_at'>, now: Date) {
  const account = withPlanNow(stored, now)
  const { id, name, email, mobile, login_id, role } = account
  const { qr_count, parent_id, created_at } = account
  const { subscription_plan, subscription_ends_at, qr_limit, child_qr_quota } = account
  const is_active = fromFlag(account.is_active)
  const email_verified = account.email_verified_at !== null
  const plan = { subscription_plan, subscription_ends_at, qr_count, qr_limit, child_qr_quota }
  return {
    id,
    name,
    email,
    email_verified,
    mobile,
    login_id,
    role,
    is_active,
    ...plan,
    parent_id,
    created_at,
  }
}
