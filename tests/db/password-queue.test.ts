import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '#db/secrets.ts'

test('a queue that is full at the first login refuses no later one', async () => {
  const crowd = Array.from({ length: 18 }, () => hashPassword('correct horse'))
  await verifyPassword(null, 'anything').catch(() => undefined)
  const [hash] = await Promise.all(crowd)
  expect(await verifyPassword(null, 'anything')).toBe(false)
  expect(await verifyPassword(hash as string, 'correct horse')).toBe(true)
})
