import { test } from 'vitest'
import { expectAsWritten, readSections } from '#tests/support/authorisation.ts'

const sections = readSections().filter(({ title }) => !title.startsWith('Calls: '))

test.each(sections)('$title are answered as docs/authorisation.md says', expectAsWritten, 60_000)
