// @module-tag slow
import { expect, test } from 'vitest'
import { openUncounted, readSections } from '#tests/support/authorisation.ts'
import { answerAs, KINDS, OTHER_SCOPES } from '#tests/support/sharing.ts'

const sections = readSections(KINDS)

test.each(sections)('$title are answered by role as docs/authorisation says', async ({ rows }) => {
  const app = await openUncounted()
  for (const { call, answers } of rows) {
    const given: string[] = []
    for (const kind of KINDS) given.push((await answerAs(app, call, kind)).answer)
    expect([call, ...given]).toEqual([call, ...answers])
  }
})

test.each(sections)('$title are answered by scope', async ({ title, rows }) => {
  const app = await openUncounted()
  const isOfAccount = title.includes('popup images')
  const within = isOfAccount ? [] : (['company', 'one'] as const)
  const outside = isOfAccount ? (['company', 'other code'] as const) : OTHER_SCOPES
  for (const { call, answers } of rows) {
    const byKind = Object.fromEntries(KINDS.map((kind, n) => [kind, answers[n]]))
    for (const kind of ['manager', 'member', 'viewer'] as const) {
      for (const scope of within) {
        const { answer } = await answerAs(app, call, kind, scope)
        expect([call, kind, scope, answer]).toEqual([call, kind, scope, byKind[kind]])
      }
      for (const scope of outside) {
        const { answer } = await answerAs(app, call, kind, scope)
        expect([call, kind, scope, answer]).toEqual([call, kind, scope, byKind.stranger])
      }
    }
  }
})

test('the tables have every call that only the owner of a code can make', async () => {
  const app = await openUncounted()
  const written = new Set(sections.flatMap(({ rows }) => rows.map(({ call }) => call)))
  const missing: string[] = []
  for (const { call } of readSections().flatMap(({ rows }) => rows)) {
    if (written.has(call)) continue
    const { answer, isOfCode } = await answerAs(app, call, 'owner')
    const isOwners = isOfCode && answer !== (await answerAs(app, call, 'stranger')).answer
    if (isOwners) missing.push(call)
  }
  expect(missing).toEqual([])
})
