import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll } from 'vitest'
import { LOOPBACK_CERTIFICATE } from '#tests/support/certificate.ts'

/** Has the requests of this file's tests trust `LOOPBACK_CERTIFICATE`. Other files of the same process do not. */
export function trustLoopback(): void {
  const before = getCACertificates('default')
  beforeAll(() => setDefaultCACertificates([...before, LOOPBACK_CERTIFICATE.cert]))
  afterAll(() => setDefaultCACertificates(before))
}
