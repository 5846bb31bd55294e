import { type FileHandle, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readWhole } from '#storage/reading.ts'
import { makeQuickFolder } from '#tests/support/quick-folder.ts'

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

test('files that are read at once, after others, have their own bytes each', async () => {
  const folder = makeQuickFolder()
  const contents = [600_000, 3, 500_000, 262_144].map((size, n) => Buffer.alloc(size, `file ${n} `))
  for (const [n, content] of contents.entries()) await writeFile(join(folder, `${n}`), content)
  const read = async (n: number) => {
    const pieces: Buffer[] = []
    for await (const piece of readWhole(await open(join(folder, `${n}`)))) {
      await sleep(1)
      pieces.push(Buffer.from(piece))
    }
    return Buffer.concat(pieces)
  }
  for (const _ of [1, 2]) {
    const whole = await Promise.all(contents.map((_, n) => read(n)))
    for (const [n, content] of contents.entries()) expect(whole[n]?.equals(content)).toBe(true)
  }
  await rm(folder, { recursive: true })
})
