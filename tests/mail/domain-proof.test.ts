import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createDomainProof } from '#mail/domain-proof.ts'
import { LOOPBACK_CERTIFICATE } from '#tests/support/certificate.ts'
import { INTERNAL_HOST, openReceiver, openTlsReceiver, testGuard } from '#tests/support/receiver.ts'
import { trustLoopback } from '#tests/support/trust-loopback.ts'

const TEXT = 'driveqr=7f3c1a9e4b6d2085c4f1e7a2'
const NO_RECORDS = () => Promise.reject(Object.assign(new Error(), { code: 'ENODATA' }))
const NAME = '_driveqr.tags.neelrath.example'

trustLoopback()

/** Whether a server that answers like this proves the domain. */
async function served(answer: (response: ServerResponse) => unknown, path = '/.well-known/x') {
  const { url, received } = await openTlsReceiver(
    LOOPBACK_CERTIFICATE,
    (response) => void answer(response),
  )
  const isProven = createDomainProof(testGuard({ limitMs: 500 }), NO_RECORDS)
  const proven = await isProven({ txt_name: NAME, file_url: url + path, text: TEXT })
  return { proven, received }
}

describe('a TXT record', () => {
  const guard = { ...testGuard(), serves: async () => false }
  const proof = { txt_name: NAME, file_url: 'https://tags.neelrath.example/', text: TEXT }

  test.each<[string, string[][], 'dns' | undefined]>([
    ['with the text', [[TEXT]], 'dns'],
    ['among others', [['v=spf1 -all'], [TEXT]], 'dns'],
    ['in several parts', [[TEXT.slice(0, 9), TEXT.slice(9)]], 'dns'],
    ['with more behind it', [[`${TEXT}0`]], undefined],
    ['with the beginning alone', [[TEXT.slice(0, -1)]], undefined],
    ['that is empty', [['']], undefined],
  ])('%s', async (_, records, proven) => {
    const names: string[] = []
    const ask = async (name: string) => {
      names.push(name)
      return records
    }
    expect(await createDomainProof(guard, ask)(proof)).toBe(proven)
    expect(names).toEqual([NAME])
  })

  test('that cannot be asked for is not there', async () => {
    expect(await createDomainProof(guard, NO_RECORDS)(proof)).toBe(undefined)
  })
})

describe('a file', () => {
  test('with the text proves the domain, a line end behind it or not', async () => {
    const { proven, received } = await served((response) => response.end(`${TEXT}\n`))
    expect(proven).toBe('file')
    expect(received).toMatchObject([{ method: 'GET', path: '/.well-known/x', body: '' }])
  })

  test.each<[string, (response: ServerResponse) => unknown]>([
    ['with another text', (response) => response.end(`${TEXT}0`)],
    ['that says 404', (response) => response.writeHead(404).end(TEXT)],
    ['that says 201', (response) => response.writeHead(201).end(TEXT)],
    ['elsewhere', (response) => response.writeHead(302, { Location: '/x' }).end(TEXT)],
    ['that breaks off in the text', (response) => response.write(TEXT.slice(0, 12))],
    ['with 20 KB before it', (response) => response.end(' '.repeat(20_000) + TEXT)],
  ])('%s proves nothing', async (_, answer) => {
    expect((await served(answer)).proven).toBe(undefined)
  })

  test('is not asked for without encryption, nor in the internal network', async () => {
    const plain = await openReceiver((response) => response.end(TEXT))
    const inside = await openReceiver((response) => response.end(TEXT), INTERNAL_HOST)
    const isProven = createDomainProof(testGuard(), NO_RECORDS)
    for (const { url } of [plain, inside]) {
      for (const file_url of [url, url.replace('http:', 'https:')]) {
        expect(await isProven({ txt_name: NAME, file_url, text: TEXT })).toBe(undefined)
      }
    }
    expect([...plain.received, ...inside.received]).toEqual([])
  })
})
