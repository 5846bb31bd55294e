import { actorOf } from '#db/admin/audit-events.ts'
import { answerAsFinder, answerAsOwner, type Person } from '#db/conversations/answers.ts'
import { blockSender } from '#db/conversations/blocks.ts'
import { readConversation, setConversationStatus } from '#db/conversations/conversation-changes.ts'
import { startConversation } from '#db/conversations/conversation-start.ts'
import { createPageReport } from '#db/conversations/page-reports.ts'
import { decideReport } from '#db/conversations/report-decisions.ts'
import { reportConversation } from '#db/conversations/reports.ts'
import { insertPopupImage } from '#db/papers/popup-images.ts'
import type { QrCode } from '#db/schema.ts'
import { answerAsCustomer, answerAsSupport, openTicket } from '#db/tickets/ticket-changes.ts'
import type { ConversationStatus } from '#domain/conversations/conversation.ts'
import { readFirstMessage } from '#domain/conversations/message.ts'
import { DomainError } from '#domain/error.ts'
import { daysBefore } from '#scripts/_sample-fleet.ts'
import { type Made, noMail, withFile } from '#scripts/_sample-made.ts'
import { samplePicture } from '#scripts/_sample-papers.ts'
import sample from '#scripts/sample/sample.json' with { type: 'json' }
import { keepDocument, keepImage, keepPhoto } from '#storage/intake.ts'

/** A conversation: the finder's first message, and the later ones with their minutes. */
type Story = {
  plate: string
  days: number
  first: Record<string, unknown>
  hasPhoto?: true
  later?: [from: 'finder' | 'owner', minutes: number, text: string][]
  end?: ConversationStatus
}

const STORIES = sample.stories as Story[]

/** Adds conversations, reports and tickets by the verbs that the application uses. */
export async function addConversations(made: Made): Promise<void> {
  for (const story of STORIES) await addStory(made, story)
  await reportThreat(made)
  await reportSeller(made)
  await askSupport(made)
}

async function addStory(
  made: Made,
  { plate, days, first, hasPhoto, later = [], end }: Story,
): Promise<{ id: string; user: Person }> {
  const { db, codes, files, secretKey } = made
  const code = codes.find((each) => each.vehicle_registration === plate) as QrCode
  const user = { id: code.child_account_id ?? code.owner_id, name: code.owner_name ?? '' }
  const { message, problem } = readFirstMessage(first)
  if (!message) throw new DomainError(problem.refusal)
  const sender = {
    browser: `sample ${plate}`,
    addresses: [`sample ${plate}`],
    isShared: true,
    networks: [`sample ${plate}`],
  }
  const photo = hasPhoto && (await withFile(files, await samplePicture('keys'), keepPhoto))
  const after = (minutes: number) => daysBefore(made.now, days - minutes / MINUTES_A_DAY)
  const rules = (minutes: number) => ({ now: after(minutes), isLimited: false })
  const { id, token } = await startConversation(
    db,
    { qrId: code.qr_id, message, photo, sender, lang: 'en' },
    { ...rules(0), secretKey },
    noMail,
  )
  for (const [from, minutes, text] of later) {
    if (from === 'owner') {
      await answerAsOwner(db, user, id, { text }, rules(minutes), noMail)
    } else {
      const answer = { token, text, sender, lang: 'en' } as const
      await answerAsFinder(db, answer, rules(minutes), noMail)
    }
  }
  const atEnd = { now: after(END_MINUTES), isLimited: false }
  if (end) await setConversationStatus(db, user, id, end, atEnd, noMail)
  return { id, user }
}

const MINUTES_A_DAY = 1440
const END_MINUTES = 90

/** Adds a conversation that its owner reported and ended. */
async function reportThreat(made: Made): Promise<void> {
  const { db, now } = made
  const text = 'I know which car is yours. I wait at B2 every night until you come alone.'
  const story = { plate: 'MH43BZ8806', days: 1, first: { reason: 'other', text } }
  const { id, user } = await addStory(made, story)
  const at = daysBefore(now, 0.9)
  await readConversation(db, user, id, at)
  const report = { reason: 'threat', text: 'He says he waits for me at the parking.' } as const
  await reportConversation(db, user, id, report, at)
  await blockSender(db, user, id, at)
}

/** Adds two reports of a page that asks for money first, one of them decided. */
async function reportSeller({ db, people, codes, files, now }: Made): Promise<void> {
  const { seller, moderator } = people
  const { qr_id } = codes.find(({ owner_id }) => owner_id === seller.id) as QrCode
  const spam = { reason: 'spam', text: 'This is only advertising, no keys.' } as const
  const { id } = await createPageReport(db, qr_id, spam, daysBefore(now, 6))
  await decideReport(db, actorOf(moderator), id, 'dismiss', daysBefore(now, 5.5))
  const picture = await samplePicture('pay-first', 'Pay first.png')
  const image = await withFile(files, picture, keepImage)
  await insertPopupImage(db, { ownerId: seller.id }, image, daysBefore(now, 4))
  const text = 'The picture asks to pay ₹500 by UPI before I get the number.'
  await createPageReport(db, qr_id, { reason: 'fraud', text }, daysBefore(now, 0.3))
}

/** Adds two tickets of the workshop: one with answers, and one that has waited for too long. */
async function askSupport({ db, people, files, now }: Made): Promise<void> {
  const { workshop, admin } = people
  const at = (days: number) => ({ now: daysBefore(now, days), isLimited: false })
  const says = (text: string) => ({ text, attachment: undefined })
  const attachment = await withFile(files, await samplePicture('test-print'), keepDocument)
  const labels = 'Labels on our Avery L7165 sheets print 2 mm too low since Monday.'
  const ticket = { subject: 'Labels print 2 mm too low', text: labels, attachment }
  const { id } = (await openTicket(db, workshop.id, ticket, at(1), noMail)).ticket
  const printer =
    'Thank you, we see it. Which printer is it, and does the test frame fit on plain paper?'
  await answerAsSupport(db, admin, id, says(printer), at(0.97), noMail)
  const frame = 'HP LaserJet M1136. The frame fits on plain paper, not on the labels.'
  await answerAsCustomer(db, workshop.id, id, says(frame), at(0.05), noMail)
  const address = {
    subject: 'Own address is not verified',
    ...says('The TXT record is there since Friday.'),
  }
  await openTicket(db, workshop.id, address, at(1.13), noMail)
}
