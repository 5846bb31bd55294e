import type { Command } from 'commander'
import { inviteAddress } from '#actions/accounts/invitations.ts'
import { COMMAND_LINE } from '#db/admin/audit-events.ts'
import { normalizeEmail } from '#domain/accounts/contact.ts'
import { sendOtpProblem } from '#domain/accounts/registration.ts'
import {
  type Answer,
  answering,
  type Context,
  example,
  type Installation,
  mailing,
  refuse,
} from '#scripts/_context.ts'
import { formatMomentIn } from '#scripts/_terminal.ts'

/** Adds `user invite`. */
export function addInviteCommand(user: Command, context: Context): void {
  user
    .command('invite')
    .description('mail the link with which a person makes an account; without mail, print it')
    .argument('<email>', "the person's address")
    .option('--print', 'print the link instead of mailing it; it does not verify the address')
    .addHelpText(
      'after',
      example('user invite ravi@example.in', 'user invite ravi@example.in --print'),
    )
    .action(answering(context, inviteByOperator))
}

async function inviteByOperator(
  installation: Installation,
  typed: string,
  { print }: { print?: boolean },
): Promise<Answer> {
  const { db, config } = installation
  const email = normalizeEmail(typed)
  refuse(sendOtpProblem(email))
  const wish = { email, by: COMMAND_LINE, isShown: print }
  const made = await inviteAddress({ db, ...mailing(installation) }, wish)
  const until = formatMomentIn(config.terminalZone, made.expires_at)
  const text = made.url
    ? `Give ${email} this link. It works once, until ${until}:\n${made.url}`
    : `${email} gets a mail with a link, which works once, until ${until}`
  return { view: made, text }
}
