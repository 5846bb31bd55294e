import type { FileHandle } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readWhole } from '#storage/reading.ts'

test('a read ahead that fails while its reader is busy fails when it is asked for, and closes', async () => {
  let reads = 0
  let closed = 0
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  const handle = {
    async read(buffer: Buffer) {
      if (++reads > 1) throw new Error('the disk is broken')
      return { bytesRead: 3, buffer }
    },
    close: async () => void closed++,
  }
  const pieces = readWhole(handle as unknown as FileHandle)
  expect((await pieces.next()).value).toHaveLength(3)
  await sleep(20)
  await expect(pieces.next()).rejects.toThrow('the disk is broken')
  process.off('unhandledRejection', note)
  expect([closed, unhandled]).toEqual([1, []])
})
