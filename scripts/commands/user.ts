import type { Command } from 'commander'
import { createAccount, type ListedAccount, listAccounts } from '#db/accounts.ts'
import { COMMAND_LINE } from '#db/audit-events.ts'
import { fromFlag } from '#db/cast.ts'
import { hashPassword } from '#db/secrets.ts'
import { normalizeEmail, normalizeMobile } from '#domain/contact.ts'
import { DomainError } from '#domain/error.ts'
import { nameProblem, passwordProblem, sendOtpProblem } from '#domain/registration.ts'
import { cleanText } from '#domain/text.ts'
import { formatDate } from '#domain/time.ts'
import { type Context, example, wantsJson, withDatabase } from '#scripts/_context.ts'
import { printAnswer, readNewPassword, toTable } from '#scripts/_terminal.ts'

type CreateOptions = { name: string; mobile?: string }

export function addUserCommands(program: Command, context: Context): void {
  const user = program.command('user').description('accounts')
  user
    .command('create')
    .description('make an account; its password is piped in, or asked for without echo')
    .argument('<email>', 'the address to sign in with')
    .requiredOption('--name <name>', 'what the person is called')
    .option('--mobile <number>', 'a mobile number to sign in with too')
    .addHelpText(
      'after',
      example(
        "user create asha@example.in --name 'Asha Patil'",
        "user create asha@example.in --name 'Asha Patil' < password.txt",
      ),
    )
    .action((email, options, command) => create(email, options, command, context))
  user
    .command('list')
    .description('every account, oldest first')
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
  const { password, confirmPassword } = await readNewPassword(context.terminal)
  refuse(passwordProblem({ password, confirmPassword }))
  const name = cleanText(options.name) ?? ''
  const password_hash = await hashPassword(password)
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

function refuse(problem: string | undefined): void {
  if (problem) throw new DomainError('invalid', problem)
}

async function list(command: Command, context: Context): Promise<void> {
  await withDatabase(context, async ({ db, config }) => {
    const all = await listAccounts(db)
    printAnswer(context.terminal, wantsJson(command), all.map(toView), () =>
      all.length === 0
        ? 'There is no account yet: user create EMAIL --name NAME makes one'
        : toTable(
            ['CONTACT', 'NAME', 'ROLE', 'PLAN', 'CODES', 'STATUS', 'JOINED'],
            all.map((each) => [
              each.email ?? each.mobile ?? '',
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
  const plan = { subscription_plan, qr_count, qr_limit, child_qr_quota }
  return { id, name, email, mobile, role, is_active, ...plan, parent_id, created_at }
}
