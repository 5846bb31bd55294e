import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { orRemove } from '#actions/papers/uploads.ts'
import { UNREACHABLE } from '#db/errors.ts'
import { openTestApp } from '#tests/support/app.ts'

async function failWith(error: Error) {
  const { deps } = await openTestApp()
  const path = deps.files.newTemporary()
  writeFileSync(path, 'file')
  const names = await deps.files.keep([{ path, kind: 'pdf' }])
  await expect(orRemove(deps, names, () => Promise.reject(error))).rejects.toThrow(error.message)
  return { kept: names, left: await deps.files.list() }
}

test('the file of a row that was refused is removed', async () => {
  expect((await failWith(new Error('refused'))).left).toEqual([])
})

test('the file of a row that may have been committed stays', async () => {
  const lost = Object.assign(new Error('connection lost'), { code: UNREACHABLE })
  const { kept, left } = await failWith(lost)
  expect(left).toEqual(kept)
})
