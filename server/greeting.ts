import { type Config, isLoopback } from '#config.ts'

/** Where the server is, and what whoever has started it does first. */
export function greetingFor(config: Config): string {
  const { publicUrl, testMode, mail } = config
  const lines = [
    `DriveQR is ready at ${publicUrl}`,
    addressWarning(config),
    firstStep(testMode, mail.smtpUrl),
  ]
  const said = lines.filter((line) => line !== undefined)
  return `\n${said.map((line) => `  ${line}\n`).join('')}`
}

/** What is wrong with an address of this machine alone where others are let in. */
export function addressWarning({ production, publicUrl }: Config): string | undefined {
  if (!production || !isLoopback(new URL(publicUrl).hostname)) return undefined
  return `PUBLIC_URL ${publicUrl} opens on this machine alone. Set it to the address that phones open before you sign in from one or print a QR code.`
}

function firstStep(testMode: boolean, smtpUrl: string | undefined): string {
  if (testMode) {
    return 'Open it, register with any e-mail address (the one-time code is shown on the page), and make a QR code.'
  }
  if (smtpUrl) return 'Open it, register, and make a QR code.'
  return 'No mail server is set, so make an account here: npm run driveqr -- user create EMAIL --name NAME'
}

/** Why an address could not be listened on, in words that name the setting to change. */
export function whyNotListening(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(`PORT ${port} is taken by another program: stop that, or set another PORT`)
  }
  if (error.code === 'EACCES') return new Error(`PORT ${port} is not open to this user`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new Error(`HOST ${host} is no address of this machine`)
  }
  return error
}
