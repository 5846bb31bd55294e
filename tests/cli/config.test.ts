import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { missingFolder, openCommandLine } from '#tests/cli/support.ts'

test('config prints every setting in force and where it is from, without secrets', async () => {
  const dataDir = missingFolder()
  const { run, json } = openCommandLine(dataDir)
  const env = { PORT: '8080', SMTP_URL: 'smtp://u:a-secret@mail.example.in', PROT: '80' }
  const { code, out } = await run(['config'], { env })
  expect(code).toBe(0)
  expect(out).toMatch(/^NAME +VALUE +FROM\n/)
  expect(out).toMatch(/^PORT +8080 +environment$/m)
  expect(out).toMatch(/^PUBLIC_URL +http:\/\/localhost:8080 +default$/m)
  expect(out).toMatch(/^SMTP_URL +\(hidden\) +environment$/m)
  expect(out).toMatch(/^METRICS_TOKEN +default$/m)
  expect(out).toMatch(/\n\nnot a setting of DriveQR: PROT \(PORT\?\)\n$/)
  const answer = await json(['config'], { env })
  expect(answer.unknown).toEqual(['PROT'])
  expect(answer.settings).toContainEqual({ name: 'PORT', value: '8080', from: 'environment' })
  expect(out + JSON.stringify(answer)).not.toContain('a-secret')
  expect(existsSync(dataDir)).toBe(false)
})

test('config says which setting is wrong', async () => {
  const { run } = openCommandLine()
  const answer = await run(['config'], { env: { PORT: 'x' } })
  const err = 'driveqr: PORT must be a whole number from 0 to 65535\n'
  expect(answer).toEqual({ code: 1, out: '', err })
})
