import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { Attest } from '#tests/support/software-passkey.ts'

const ECDSA_SHA256 = '2a8648ce3d040302'
const COMMON_NAME = '550403'
const CRL_POINTS = '551d1f'
const KEY_DESCRIPTION = '2b06010401d679020111'

/**
 * The statement of an Android key whose certificates are of somebody's own making, and name an address where a
 * list of revoked certificates is.
 */
export function attestAsAndroidKey(crlUrl: string): Attest {
  return ({ authData, clientData, privateKey, publicKey }) => {
    const root = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const challenge = createHash('sha256').update(clientData).digest()
    const leaf = certificate(
      { name: 'leaf', key: publicKey },
      { name: 'root', key: root.privateKey },
      [extension(CRL_POINTS, crlPoints(crlUrl)), extension(KEY_DESCRIPTION, described(challenge))],
    )
    const self = { name: 'root', key: root.publicKey }
    const signed = sign('sha256', Buffer.concat([authData, challenge]), privateKey)
    return {
      fmt: 'android-key',
      attStmt: new Map<string, number | Buffer | Buffer[]>([
        ['alg', -7],
        ['sig', signed],
        ['x5c', [leaf, certificate(self, { name: 'root', key: root.privateKey }, [])]],
      ]),
    }
  }
}

type Named = { name: string; key: KeyObject }

function certificate(of: Named, by: Named, extensions: Buffer[]): Buffer {
  const algorithm = der(0x30, oid(ECDSA_SHA256))
  const told = der(
    0x30,
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    named(by.name),
    der(0x30, time('20200101000000Z'), time('20991231235959Z')),
    named(of.name),
    of.key.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [der(0xa3, der(0x30, ...extensions))] : []),
  )
  return der(0x30, told, algorithm, der(0x03, Buffer.from([0]), sign('sha256', told, by.key)))
}

function named(name: string): Buffer {
  return der(0x30, der(0x31, der(0x30, oid(COMMON_NAME), der(0x0c, Buffer.from(name)))))
}

function time(text: string): Buffer {
  return der(0x18, Buffer.from(text))
}

function extension(id: string, value: Buffer): Buffer {
  return der(0x30, oid(id), der(0x04, value))
}

function crlPoints(url: string): Buffer {
  return der(0x30, der(0x30, der(0xa0, der(0xa0, der(0x86, Buffer.from(url))))))
}

function described(challenge: Buffer): Buffer {
  const software = der(0x0a, Buffer.from([0]))
  const none = der(0x30)
  const bytes = [der(0x04, challenge), der(0x04)]
  return der(0x30, integer(4), software, integer(4), software, ...bytes, none, none)
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function integer(value: number): Buffer {
  return der(0x02, Buffer.from([value]))
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
