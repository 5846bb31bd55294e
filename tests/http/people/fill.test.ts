import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { openUncounted, readSections } from '#tests/support/authorisation.ts'
import { answerAs, KINDS } from '#tests/support/sharing.ts'
test('fill', { timeout: 900000 }, async () => {
  const app = await openUncounted()
  const codes: string[] = [], images: string[] = []
  for (const { call } of readSections().flatMap(({ rows }) => rows)) {
    const { answer, isOfCode } = await answerAs(app, call, 'owner')
    const isImage = call.includes('popup-images/')&& call.includes('id')
    if (!isImage && !(isOfCode && answer !== (await answerAs(app, call, 'stranger')).answer)) continue
    const given: string[] = []
    for (const kind of KINDS) given.push((await answerAs(app, call, kind)).answer)
    ;(isImage ? images : codes).push(`| \`${call}\` | ${given.join(' | ')} |`)
  }
  const page = 'docs/authorisation/people.md'
  const [intro, one, two] = readFileSync(page, 'utf8').split(/^(?=## )/m) as string[]
  const head = (part: string, rows: string[]) => part.slice(0, part.indexOf('|---')) + '|---'.repeat(KINDS.length + 1) + '|\n' + rows.join('\n') + '\n'
  writeFileSync(page, intro + head(one!, codes) + '\n' + head(two!, images))
})
