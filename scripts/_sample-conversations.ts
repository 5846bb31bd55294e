import { actorOf } from '#db/admin/audit-events.ts'
import { answerAsFinder, answerAsOwner } from '#db/conversations/answers.ts'
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
import { daysBefore } from '#scripts/_sample-fleet.ts'
import { type Made, noMail, withFile } from '#scripts/_sample-made.ts'
import { keysPhoto, poster } from '#scripts/_sample-papers.ts'
import { keepDocument, keepImage, keepPhoto } from '#storage/intake.ts'

/** What a finder writes first, and who writes what after so many minutes. */
type Story = {
  plate: string
  days: number
  first: Record<string, unknown>
  hasPhoto?: true
  later?: [from: 'finder' | 'owner', minutes: number, text: string][]
  end?: ConversationStatus
}

const STORIES: Story[] = [
  {
    plate: 'MH12QX4827',
    days: 0.06,
    hasPhoto: true,
    first: {
      reason: 'found',
      text: 'I found these keys on the counter of the juice shop. They are safe with me.',
      place: 'Juice shop beside gate 2, FC Road',
      latitude: 18.52381,
      longitude: 73.84152,
      accuracy: 14,
      name: 'Sagar',
    },
    later: [
      ['owner', 9, 'Thank you! I am coming now'],
      ['finder', 14, 'I wait at the counter until 7.'],
    ],
  },
  {
    plate: 'MH12LK0386',
    days: 0.02,
    first: {
      reason: 'parking',
      text: 'Your bike stands on the ramp of our basement. Nobody can drive out.',
      place: 'Sai Residency, Aundh',
    },
  },
  {
    plate: 'MH12SR7715',
    days: 6,
    first: {
      reason: 'accident',
      text: 'A tempo hit the rear door. The driver sits inside and his arm hurts.',
      place: 'Signal at Baner Road',
      latitude: 18.55934,
      longitude: 73.78906,
      accuracy: 22,
    },
    later: [
      ['owner', 3, 'I am on my way. Has somebody called 112?'],
      ['finder', 5, 'Yes, the ambulance is here now.'],
      ['owner', 70, 'He is well, only bruises. Thank you for staying with him.'],
    ],
  },
  {
    plate: 'MH12PF5508',
    days: 21,
    first: { reason: 'lights', text: 'The headlight of the scooter is on.', place: 'Level B1' },
    later: [['owner', 12, 'Switched off. Thank you!']],
    end: 'closed',
  },
  {
    plate: 'MH12DE1964',
    days: 13,
    first: {
      reason: 'found',
      text: 'A red key ring with two keys lay on the bench.',
      place: 'Bus stop at Kothrud depot',
      name: 'Vaishali',
    },
    later: [
      ['owner', 31, 'Please leave them at the security desk'],
      ['finder', 55, 'Done. The guard is Mr. Pawar.'],
    ],
    end: 'returned',
  },
  {
    plate: 'MH12VE6190',
    days: 3,
    first: { reason: 'lights', text: 'The indicator of this scooter keeps blinking.' },
  },
]

/** Adds what finders wrote, and what was reported of it, by the verbs that the application uses. */
export async function addConversations(made: Made): Promise<void> {
  for (const story of STORIES) await tell(made, story)
  await reportThreat(made)
  await reportSeller(made)
  await askSupport(made)
}

async function tell(
  made: Made,
  { plate, days, first, hasPhoto, later = [], end }: Story,
): Promise<{ id: string; account_id: string }> {
  const { db, codes, files, secretKey } = made
  const code = codes.find((each) => each.vehicle_registration === plate) as QrCode
  const account_id = code.child_account_id ?? code.owner_id
  const { message, problem } = readFirstMessage(first)
  if (!message) throw new Error(problem.message)
  const senderHashes = [`sample ${plate}`]
  const content = keysPhoto()
  const photo = hasPhoto && (await withFile(files, { content, file_name: 'keys.png' }, keepPhoto))
  const after = (minutes: number) => daysBefore(made.now, days - minutes / MINUTES_A_DAY)
  const rules = (minutes: number) => ({ now: after(minutes), isLimited: false })
  const { id, token } = await startConversation(
    db,
    { qrId: code.qr_id, message, photo, senderHashes, lang: 'en' },
    { ...rules(0), secretKey },
    noMail,
  )
  for (const [from, minutes, text] of later) {
    if (from === 'owner') {
      await answerAsOwner(db, account_id, id, { text }, rules(minutes), noMail)
    } else {
      const answer = { token, text, senderHashes, lang: 'en' } as const
      await answerAsFinder(db, answer, rules(minutes), noMail)
    }
  }
  const atEnd = { now: after(END_MINUTES), isLimited: false }
  if (end) await setConversationStatus(db, account_id, id, end, atEnd, noMail)
  return { id, account_id }
}

const MINUTES_A_DAY = 1440
const END_MINUTES = 90

/** A conversation that its owner reported and ended. */
async function reportThreat(made: Made): Promise<void> {
  const { db, now } = made
  const text = 'I know which car is yours. I wait at B2 every night until you come alone.'
  const story = { plate: 'MH43BZ8806', days: 1, first: { reason: 'other', text } }
  const { id, account_id } = await tell(made, story)
  const at = daysBefore(now, 0.9)
  await readConversation(db, account_id, id, at)
  const report = { reason: 'threat', text: 'He says he waits for me at the parking.' } as const
  await reportConversation(db, account_id, id, report, at)
  await blockSender(db, account_id, id, at)
}

/** A page that asks for money first: two reports, one of them decided. */
async function reportSeller({ db, people, codes, files, now }: Made): Promise<void> {
  const { seller, moderator } = people
  const { qr_id } = codes.find(({ owner_id }) => owner_id === seller.id) as QrCode
  const spam = { reason: 'spam', text: 'This is only advertising, no keys.' } as const
  const { id } = await createPageReport(db, qr_id, spam, daysBefore(now, 6))
  await decideReport(db, actorOf(moderator), id, 'dismiss', daysBefore(now, 5.5))
  const content = poster(['Pay first ₹500', 'then call'], ['#5b2a86', '#ffffff'])
  const image = await withFile(files, { content, file_name: 'Pay first.png' }, keepImage)
  await insertPopupImage(db, seller.id, image, daysBefore(now, 4))
  const text = 'The picture asks to pay ₹500 by UPI before I get the number.'
  await createPageReport(db, qr_id, { reason: 'fraud', text }, daysBefore(now, 0.3))
}

/** Two tickets of the workshop: one whose answer was answered, and one that waits for too long. */
async function askSupport({ db, people, files, now }: Made): Promise<void> {
  const { workshop, admin } = people
  const at = (days: number) => ({ now: daysBefore(now, days), isLimited: false })
  const says = (text: string) => ({ text, attachment: undefined })
  const content = poster(['Test print', '2 mm too low'], ['#ffffff', '#1a1710'])
  const attachment = await withFile(files, { content, file_name: 'test-print.png' }, keepDocument)
  const labels = 'Labels on our Avery L7165 sheets print 2 mm too low since Monday.'
  const ticket = { subject: 'Labels print 2 mm too low', text: labels, attachment }
  const { made } = await openTicket(db, workshop.id, ticket, at(1), noMail)
  const { id } = made
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
