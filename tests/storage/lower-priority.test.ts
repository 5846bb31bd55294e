import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { lowerPriority } from '#storage/lower-priority.ts'
import { testOnLinux } from '#tests/support/database.ts'

testOnLinux('the threads that a process has already get the lower priority too', async () => {
  const program = 'console.log("started"); setInterval(() => {}, 1000)'
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    await once(child.stdout, 'data')
    lowerPriority(child)
    const threads = readdirSync(`/proc/${child.pid}/task`)
    expect(threads.length).toBeGreaterThan(1)
    expect([...new Set(threads.map((id) => getPriority(Number(id))))]).toEqual([10])
  } finally {
    child.kill()
  }
})

test('a process that has ended already is no error', async () => {
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
  await once(child, 'exit')
  expect(() => lowerPriority(child)).not.toThrow()
})
