import { expect, test } from 'vitest'
import type { Storage } from '#config.ts'
import { whyNotStored } from '#storage/s3-errors.ts'

const AWS: Storage = {
  bucket: 'keys',
  prefix: 'p/',
  region: 'ap-south-1',
  endpoint: undefined,
  credentials: { accessKeyId: 'AKIAKEYS', secretAccessKey: 'secret' },
}
const OWN: Storage = { ...AWS, endpoint: 'http://minio.lan:9000/' }

const answer = (httpStatusCode: number, name = 'Unknown') => ({
  name,
  message: 'UnknownError',
  $metadata: { httpStatusCode },
})

test.each([
  [
    AWS,
    answer(403, 'AccessDenied'),
    'may not delete files in the bucket keys at ap-south-1.amazon',
  ],
  [OWN, answer(403, 'AccessDenied'), 'may not delete files in the bucket keys at minio.lan:9000: '],
  // An answer to HEAD has no body that would say more.
  [OWN, answer(403), 'may not delete files in the bucket keys at minio.lan:9000: '],
  [OWN, answer(404), 'There is no bucket keys at minio.lan:9000: make it'],
  [AWS, answer(301), 'The bucket keys is in another region: set region in STORAGE_URL'],
  [AWS, answer(403, 'ExpiredToken'), 'ap-south-1.amazonaws.com says that AWS_SESSION_TOKEN has ex'],
  [
    AWS,
    answer(418, 'Teapot'),
    'ap-south-1.amazonaws.com answers 418 Teapot (UnknownError): is STOR',
  ],
  [
    AWS,
    Object.assign(new Error('connect ETIMEDOUT\nat a line'), { code: 'ETIMEDOUT' }),
    'ap-south-1.amazonaws.com does not answer, ETIMEDOUT (connect ETIMEDOUT): is it running',
  ],
])('%o, %o: %s', (at, error, words) => {
  const { message } = whyNotStored(error, at, 'delete files')
  expect(message).toContain(words)
  expect(message).not.toContain('\n')
})
