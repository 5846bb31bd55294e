import { beforeEach, expect, test, vi } from 'vitest'
import { type ActiveImage, createPopups, type MessageRow } from '#db/scans/popups.ts'

const code = (owner_id: string, popup_images = 1) => ({ owner_id, popup_images })

/** Popups of a database that holds what `now` holds, with the queries that it has answered. */
function openPopups() {
  const now: { images: ActiveImage[]; messages: MessageRow[] } = {
    images: [{ id: 'i', stored_name: 'i.webp', width: 4, height: 3 }],
    messages: [],
  }
  const asked: string[] = []
  const popups = createPopups({
    images(ownerId) {
      asked.push(ownerId)
      return now.images
    },
    async messages() {
      asked.push('messages')
      return now.messages
    },
  })
  return { ...popups, now, asked }
}

const CLOSED = { id: 'm', title: 'Closed', content: 'Until Monday' }
const ROW = { ...CLOSED, lang: null, title_in: null, content_in: null }
const SEEN = { ...CLOSED, texts: {} }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  return () => {
    vi.useRealTimers()
  }
})

test('a popup is queried once in five seconds', async () => {
  const { listPopup, now, asked } = openPopups()
  const first = await listPopup(code('asha'))
  now.messages = [ROW]
  vi.advanceTimersByTime(4_999)
  expect(await listPopup(code('asha'))).toEqual(first)
  expect(asked).toEqual(['asha', 'messages'])
  vi.advanceTimersByTime(1)
  expect((await listPopup(code('asha'))).messages).toEqual([SEEN])
})

test('only owners with active images are looked up, each for its own', async () => {
  const { listPopup, now, asked } = openPopups()
  expect((await listPopup(code('ravi', 0))).images).toEqual([])
  await listPopup(code('asha'))
  now.images = []
  expect((await listPopup(code('ravi'))).images).toEqual([])
  expect(asked).toEqual(['messages', 'asha', 'ravi'])
})

test('a write is seen at once, also by a query that was under way', async () => {
  const { listPopup, forgetPopups, now } = openPopups()
  const before = listPopup(code('asha', 0))
  now.messages = [ROW]
  forgetPopups()
  await before
  expect((await listPopup(code('asha', 0))).messages).toEqual([SEEN])
})

test('a query that failed is repeated by the next scan', async () => {
  let isDown = true
  const popups = createPopups({
    images: () => [],
    messages: async () => {
      if (isDown) throw new Error('the database restarts')
      return [ROW]
    },
  })
  await expect(popups.listPopup(code('asha'))).rejects.toThrow('restarts')
  isDown = false
  expect((await popups.listPopup(code('asha'))).messages).toEqual([SEEN])
})

test('images of a thousand owners are kept at most', async () => {
  const { listPopup, asked } = openPopups()
  for (let n = 0; n <= 1_000; n++) await listPopup(code(`owner${n}`))
  asked.length = 0
  await listPopup(code('owner1000'))
  expect(asked).toEqual([])
  await listPopup(code('owner0'))
  expect(asked).toEqual(['owner0'])
})

test('a message comes once, with the texts of its languages', async () => {
  const { listPopup, now } = openPopups()
  now.messages = [
    { ...ROW, lang: 'hi', title_in: 'बंद', content_in: 'सोमवार तक' },
    { ...ROW, lang: 'ur', title_in: 'بند', content_in: 'پیر تک' },
    { ...ROW, id: 'n' },
  ]
  const texts = {
    hi: { title: 'बंद', content: 'सोमवार तक' },
    ur: { title: 'بند', content: 'پیر تک' },
  }
  const { messages } = await listPopup(code('asha', 0))
  expect(messages).toEqual([
    { ...CLOSED, texts },
    { ...SEEN, id: 'n' },
  ])
})
