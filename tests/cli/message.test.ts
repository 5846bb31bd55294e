import { expect, test } from 'vitest'
import { NOW, openCommandLine } from '#tests/cli/support.ts'

test('a message is added, listed and removed, and it is noted who did it', async () => {
  const { run, json, listAudit } = openCommandLine()
  expect((await run(['message', 'list'])).out).toContain('There is no message')
  const made = await json(['message', 'add', 'Thank you', ' One call. '])
  expect(made).toEqual({
    id: expect.any(String),
    title: 'Thank you',
    content: 'One call.',
    is_active: true,
    created_at: NOW.toISOString(),
    texts: {},
  })
  expect(await json(['message', 'list'])).toEqual([made])
  expect((await run(['message', 'list'])).out).toMatch(
    new RegExp(`${made.id}\\s+Thank you\\s+active\\s+20 Nov 2026, 3:30 pm Asia/Kolkata`),
  )
  const translated = await run(['message', 'translate', made.id, 'hi', 'धन्यवाद', 'एक फ़ोन।'])
  expect(translated.out).toBe('“Thank you” has a text in hi\n')
  await run(['message', 'translate', made.id, 'hi', '', ''])
  expect(await json(['message', 'list'])).toEqual([made])
  const removed = await run(['message', 'remove', made.id])
  expect(removed).toEqual({ code: 0, out: '“Thank you” is deleted\n', err: '' })
  expect(await json(['message', 'list'])).toEqual([])
  expect(await listAudit()).toMatchObject([
    { actor: 'command line', action: 'message.added', subject_id: made.id },
    { action: 'message.translated' },
    { action: 'message.translated' },
    { actor: 'command line', action: 'message.deleted', subject_id: made.id },
  ])
})

test.each([
  [['add', ' ', 'x'], 'Please enter a title'],
  [['add', 'x', ''], 'Please enter a message'],
  [['remove', 'none'], 'Message not found'],
])('%j is refused with its reason in one line', async (args, reason) => {
  const { run } = openCommandLine()
  expect(await run(['message', ...args])).toEqual({
    code: 1,
    out: '',
    err: `driveqr: ${reason}\n`,
  })
})
