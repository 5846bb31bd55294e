// @module-tag slow
import { expect, test } from 'vitest'
import { openUncounted, readSections } from '#tests/support/authorisation.ts'
import { answerAs, KINDS, type Kind, OTHER_SCOPES } from '#tests/support/sharing.ts'

const sections = readSections(KINDS)

test.each(sections)('$title are answered by role as docs/authorisation says', async ({ rows }) => {
  const app = await openUncounted()
  for (const { call, answers } of rows) {
    const given: string[] = []
    for (const kind of KINDS) given.push((await answerAs(app, call, kind)).answer)
    expect([call, ...given]).toEqual([call, ...answers])
  }
})

const of = (word: string) => sections.filter(({ title }) => title.includes(word))
const ROLES = ['manager', 'member', 'viewer'] as const
const cellOf = (answers: string[], kind: Kind) => answers[KINDS.indexOf(kind)]

test.each(of('shared codes'))('$title are answered by scope', async ({ rows }) => {
  const app = await openUncounted()
  for (const { call, answers } of rows) {
    for (const kind of ROLES) {
      const isHeld = call.includes('undo-claim')
      const within = isHeld ? (['one'] as const) : (['company', 'one'] as const)
      for (const scope of within) {
        const { answer } = await answerAs(app, call, kind, scope)
        expect([call, kind, scope, answer]).toEqual([call, kind, scope, cellOf(answers, kind)])
      }
      for (const scope of isHeld ? [...OTHER_SCOPES, 'company' as const] : OTHER_SCOPES) {
        const { answer } = await answerAs(app, call, kind, scope)
        expect([call, kind, scope, answer]).toEqual([
          call,
          kind,
          scope,
          cellOf(answers, 'stranger'),
        ])
      }
    }
  }
})

test.each(of('popup images'))('$title take a share of all codes', async ({ rows }) => {
  const app = await openUncounted()
  for (const { call } of rows) {
    for (const scope of ['company', 'other code'] as const) {
      const { answer } = await answerAs(app, call, 'manager', scope)
      expect([call, scope, answer]).toEqual([call, scope, '403'])
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
