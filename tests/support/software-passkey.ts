import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const PRESENT_AND_VERIFIED = 0x05
const WITH_CREDENTIAL = 0x40

/** The statement of a new passkey, and its maker. */
export type Attest = (made: {
  authData: Buffer
  clientData: Buffer
  privateKey: KeyObject
  publicKey: KeyObject
}) => { fmt: string; attStmt: Map<string, Cbor> }

type Told = {
  challenge: string
  origin?: string
  rpId?: string
  flags?: number
  type?: string
  attest?: Attest
}

const attestNothing: Attest = () => ({ fmt: 'none', attStmt: new Map() })

/** An authenticator in software, which can also be made to answer wrongly. */
export function makeSoftwarePasskey({ origin = 'http://localhost:3000', rpId = 'localhost' } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coseKey = cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
  let counter = 0

  const clientData = (type: string, told: Told) =>
    Buffer.from(
      JSON.stringify({
        type: told.type ?? type,
        challenge: told.challenge,
        origin: told.origin ?? origin,
        crossOrigin: false,
      }),
    )

  function authData(told: Told, flags: number, rest = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(Math.max(counter, 0))
    const place = createHash('sha256')
      .update(told.rpId ?? rpId)
      .digest()
    return Buffer.concat([place, Buffer.from([flags]), count, rest])
  }

  const answered = <Response extends object>(response: Response) => ({
    id,
    rawId: id,
    type: 'public-key' as const,
    clientExtensionResults: {},
    response,
  })

  return {
    id,
    setCounter: (next: number) => {
      counter = next
    },
    /** The answer to the options for a new passkey. */
    create(told: Told) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey])
      const flags = (told.flags ?? PRESENT_AND_VERIFIED) | WITH_CREDENTIAL
      const data = clientData('webauthn.create', told)
      const made = authData(told, flags, credential)
      const { attest = attestNothing } = told
      const { fmt, attStmt } = attest({ authData: made, clientData: data, privateKey, publicKey })
      const attestation = cbor(
        new Map<string, Cbor>([
          ['fmt', fmt],
          ['attStmt', attStmt],
          ['authData', made],
        ]),
      )
      return answered({
        clientDataJSON: data.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },
    /** The answer to the options of a sign-in. */
    get(told: Told & { userHandle?: string }) {
      counter += 1
      const data = clientData('webauthn.get', told)
      const authenticatorData = authData(told, told.flags ?? PRESENT_AND_VERIFIED)
      const hash = createHash('sha256').update(data).digest()
      const signature = sign('sha256', Buffer.concat([authenticatorData, hash]), privateKey)
      return answered({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: told.userHandle,
      })
    },
  }
}

type Cbor = number | string | Buffer | Cbor[] | Map<number, Cbor> | Map<string, Cbor>

/** Encodes the part of CBOR that an attestation needs. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const parts = [...value].flatMap(([key, each]) => [cbor(key), cbor(each)])
  return Buffer.concat([head(5, value.size), ...parts])
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count])
  if (count < 256) return Buffer.from([(major << 5) | 24, count])
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255])
}
