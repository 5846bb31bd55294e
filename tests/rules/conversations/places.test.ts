import { expect, test } from 'vitest'
import {
  conversationAction,
  messagesHref,
  readMessagesPlace,
} from '#domain/conversations/places.ts'

test('a place on the Messages tab is read from its address, and written to it', () => {
  const query = { tab: 'messages', q: ' keys ', page: '3', status: 'closed', conversation: 'abc' }
  const place = readMessagesPlace(query)
  expect(place).toEqual({ q: 'keys', page: 3, list: 'closed', conversation: 'abc' })
  const fields = 'q=keys&page=3&status=closed'
  expect(messagesHref(place, { block: '1' })).toBe(
    `/dashboard?tab=messages&${fields}&conversation=abc&block=1`,
  )
  expect(conversationAction('mute', place)).toBe(`/dashboard/messages/abc/mute?${fields}`)
})

test.each([{}, { status: 'open' }, { status: 'returned', page: 'x', conversation: '' }])(
  'without a known place %j is the first page of the open ones',
  (query) => {
    const place = readMessagesPlace(query)
    expect(place).toEqual({ q: '', page: 1, list: 'open', conversation: undefined })
    expect(messagesHref(place)).toBe('/dashboard?tab=messages')
    expect(conversationAction('answer', { ...place, conversation: 'abc' })).toBe(
      '/dashboard/messages/abc/answer',
    )
  },
)
