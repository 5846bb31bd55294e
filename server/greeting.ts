import { takesRegistrations } from '#actions/accounts/first-account.ts'
import { type Config, isLoopback, typedCommand } from '#config.ts'

const toCreate = () =>
  `Create an account: ${typedCommand('user create EMAIL --name NAME --verified')}`
const toGrant = () => typedCommand('admin grant EMAIL')

const WORKER_READY =
  'This worker of DriveQR is ready. It serves no pages: open a server with ROLE=web, or all.'

/** Returns the text after a start: the URL of the server, and the next step. */
export function greetingFor(config: Config, hasAccounts: boolean): string {
  const { publicUrl, role } = config
  const ready = role === 'worker' ? WORKER_READY : `DriveQR is ready at ${publicUrl}`
  const lines = [ready, addressWarning(config), nextStep(config, hasAccounts)]
  const shown = lines.filter((line) => line !== undefined)
  return `\n${shown.map((line) => `  ${line}\n`).join('')}`
}

/** Returns the warning for a server that others can reach while PUBLIC_URL names only this machine. */
export function addressWarning({ production, publicUrl }: Config): string | undefined {
  if (!production || !isLoopback(new URL(publicUrl).hostname)) return undefined
  return `PUBLIC_URL ${publicUrl} only works on this machine. Set it to the address that phones open before you sign in from one or print a QR code.`
}

/** Returns the step from an empty server to its first admin; later only the way to an account where no page has one. */
export function nextStep(config: Config, hasAccounts: boolean): string | undefined {
  if (config.role === 'worker') return undefined
  const isOpen = takesRegistrations(config)
  if (hasAccounts) return isOpen ? undefined : `Nobody registers by themselves here. ${toCreate()}`
  return `There is no account yet. ${isOpen ? byRegistration(config) : `${toCreate()}, and make it an admin: ${toGrant()}`}`
}

function byRegistration({ testMode, production }: Config): string {
  if (production) return `Open it and register. Then make yourself an admin: ${toGrant()}`
  const how = testMode
    ? 'register with any e-mail address (the one-time code is shown on the page)'
    : 'register'
  return `Open it, ${how}, and choose Make me the admin.`
}

/** EINVAL: a name that is too long, or a link-local address without its interface. */
const NO_ADDRESS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EINVAL']

/** Returns an error for the operator that names the setting to change. */
export function whyNotListening(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(`PORT ${port} is used by another program: stop it, or set another PORT`)
  }
  if (error.code === 'EACCES') return new Error(`This user may not listen on PORT ${port}`)
  if (NO_ADDRESS.includes(error.code ?? '')) {
    return new Error(`HOST ${host} is not an address of this machine`)
  }
  return error
}
