/** The only module that uses otpauth: codes of authenticator apps (TOTP, RFC 6238). */

/** The parameters that every app supports: SHA-1, six digits, half a minute. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** The length that RFC 4226 recommends. */
const SECRET_BYTES = 20
/** The steps by which a clock may be off. */
const DRIFT = 1

/** Returns a new secret for an app, in Base32, and the address that puts it there. */
export async function newAppSecret(
  label: string,
  issuer: string,
): Promise<{ secret: string; url: string }> {
  const { Secret, TOTP } = await import('otpauth')
  const secret = new Secret({ size: SECRET_BYTES })
  return { secret: secret.base32, url: new TOTP({ ...FORM, secret, label, issuer }).toString() }
}

/** Returns the address for a secret that was made before. */
export async function appUrl(secret: string, label: string, issuer: string): Promise<string> {
  const { Secret, TOTP } = await import('otpauth')
  return new TOTP({ ...FORM, secret: Secret.fromBase32(secret), label, issuer }).toString()
}

/**
 * Returns the number of the half minute whose code this is, at most one away from now; undefined for a wrong code.
 */
export async function stepOfCode(
  secret: string,
  code: string,
  now: Date,
): Promise<number | undefined> {
  // The package throws for a code of another length in bytes.
  if (!/^\d{6}$/.test(code)) return undefined
  const { Secret, TOTP } = await import('otpauth')
  const totp = new TOTP({ ...FORM, secret: Secret.fromBase32(secret) })
  const timestamp = now.getTime()
  const drift = totp.validate({ token: code, timestamp, window: DRIFT })
  return drift === null ? undefined : Math.floor(timestamp / (FORM.period * 1000)) + drift
}
