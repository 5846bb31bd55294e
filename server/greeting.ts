import { type Config, isLoopback, typedCommand } from '#config.ts'

const byCommand = () =>
  `Create an account: ${typedCommand('user create EMAIL --name NAME --verified')}, and make the first one an admin: ${typedCommand('admin grant EMAIL')}`

const WORKER_READY =
  'This worker of DriveQR is ready. It serves no pages: open a server with ROLE=web, or all.'

/** Returns the text after a start: the URL of the server, and the first step. */
export function greetingFor(config: Config): string {
  const { publicUrl, role } = config
  const ready = [`DriveQR is ready at ${publicUrl}`, firstStep(config)]
  const [first, step] = role === 'worker' ? [WORKER_READY] : ready
  const lines = [first, addressWarning(config), step]
  const shown = lines.filter((line) => line !== undefined)
  return `\n${shown.map((line) => `  ${line}\n`).join('')}`
}

/** Returns the warning for a server that others can reach while PUBLIC_URL names only this machine. */
export function addressWarning({ production, publicUrl }: Config): string | undefined {
  if (!production || !isLoopback(new URL(publicUrl).hostname)) return undefined
  return `PUBLIC_URL ${publicUrl} only works on this machine. Set it to the address that phones open before you sign in from one or print a QR code.`
}

function firstStep({ testMode, mail: { smtpUrl }, registration }: Config): string {
  if (registration.mode !== 'open') {
    return `Nobody registers by themselves here. ${byCommand()}`
  }
  if (testMode) {
    return 'Open it, register with any e-mail address (the one-time code is shown on the page), and make a QR code.'
  }
  if (smtpUrl) return 'Open it, register, and make a QR code.'
  return `No mail server is configured. ${byCommand()}`
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
