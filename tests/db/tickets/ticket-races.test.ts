import { expect, test } from 'vitest'
import { aboutCustomers, aboutSupport } from '#actions/tickets/ticket-notices.ts'
import type { OfForm } from '#db/conversations/messages.ts'
import { answerAsCustomer, answerAsSupport, openTicket } from '#db/tickets/ticket-changes.ts'
import { setOwnTicketStatus, setTicketStatus } from '#db/tickets/ticket-status.ts'
import { getAnyTicket } from '#db/tickets/tickets.ts'
import { inTransaction } from '#db/transaction.ts'
import { countEach, race } from '#tests/support/races.ts'
import { openTickets } from '#tests/support/tickets.ts'

const SUPPORT = { SMTP_URL: 'smtp://127.0.0.1:25', SUPPORT_EMAIL: 'help@example.in' }

async function openRaces() {
  const opened = await openTickets({ env: SUPPORT })
  const { db, deps, customer, admin } = opened
  // The outbox is looked at, and nothing is sent.
  await opened.sender.stop()
  const rules = { now: deps.clock(), isLimited: true }
  const promised = { hours: 24, now: rules.now }
  const says = (text: string) => ({ text, attachment: undefined })
  const start = async (of: OfForm = {}) => {
    const first = { subject: 'Labels', ...says('first'), ...of }
    return (await openTicket(db, customer.id, first, rules, aboutCustomers(deps))).ticket
  }
  const customerWrites = (id: string, n: number) =>
    answerAsCustomer(db, customer.id, id, says(`more ${n}`), rules, aboutCustomers(deps))
  const supportWrites = (id: string, n: number, of: OfForm = {}) =>
    answerAsSupport(db, admin, id, { ...says(`answer ${n}`), ...of }, rules, aboutSupport(deps))
  const close = (id: string) => setTicketStatus(db, admin, id, 'closed', promised)
  const read = (id: string) => getAnyTicket(db, id, promised)
  const outbox = () => db.selectFrom('outbox').select('recipient').execute()
  return { ...opened, rules, start, customerWrites, supportWrites, close, read, outbox }
}

test('of 20 tickets at once five are opened, each with a number of its own', async () => {
  const { start, db, outbox } = await openRaces()
  const { won, refused } = await race(() => start())
  expect(won.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5])
  expect(refused).toEqual({
    'too_many: 5 tickets can be opened in an hour. Try again in 60 minutes.': 15,
  })
  expect(await db.selectFrom('conversations').select('id').execute()).toHaveLength(5)
  expect(await outbox()).toHaveLength(5)
})

test('of 20 answers at once each has a number and a line in the log, and one mail waits', async () => {
  const { start, supportWrites, read, db, outbox } = await openRaces()
  const { id } = await start()
  const { won } = await race((n) => supportWrites(id, n))
  expect(won).toHaveLength(20)
  expect((await read(id)).messages).toHaveLength(21)
  expect((await read(id)).status).toBe('waiting')
  const acts = await db.selectFrom('audit_events').select('action').execute()
  expect(countEach(acts.map(({ action }) => action))).toEqual({ 'ticket.answered': 20 })
  expect(countEach((await outbox()).map(({ recipient }) => recipient ?? ''))).toMatchObject({
    'help@example.in': 1,
  })
  expect(await outbox()).toHaveLength(2)
})

test('of 20 times the same form at once one ticket is opened, and one answer written', async () => {
  const { start, supportWrites, read, db } = await openRaces()
  const { won } = await race(() => start({ isOfForm: true }))
  expect(countEach(won.map(({ number }) => number))).toEqual({ 1: 20 })
  const { id } = won[0] as { id: string }
  await race(() => supportWrites(id, 1, { isOfForm: true }))
  expect((await read(id)).messages.map(({ text }) => text)).toEqual(['first', 'answer 1'])
  expect(await db.selectFrom('audit_events').select('action').execute()).toHaveLength(1)
})

test('of 20 that close a ticket one is in the log', async () => {
  const { start, close, db } = await openRaces()
  const { id } = await start()
  const { won } = await race(() => close(id))
  expect(countEach(won.map(({ status }) => status))).toEqual({ closed: 20 })
  expect(await db.selectFrom('audit_events').select('action').execute()).toHaveLength(1)
})

test('the last one among writers and closers decides the status of the ticket', async () => {
  const { start, customerWrites, supportWrites, close, read, customer, db, rules } =
    await openRaces()
  const { id } = await start()
  const acts = [
    (n: number) => customerWrites(id, n),
    (n: number) => supportWrites(id, n),
    () => close(id),
    () => setOwnTicketStatus(db, customer.id, id, 'closed', rules.now),
  ]
  const { won } = await race(async (n): Promise<unknown> => acts[n % acts.length]?.(n))
  expect(won).toHaveLength(20)
  const { messages, status, unread } = await read(id)
  expect(messages).toHaveLength(11)
  const last = messages.at(-1)?.from
  expect(last === 'customer' ? ['open', 'closed'] : ['waiting', 'closed']).toContain(status)
  expect(unread).toBe(last === 'support')
  const row = db.selectFrom('conversations').select('closed_at').where('id', '=', id)
  const { closed_at } = await row.executeTakeFirstOrThrow()
  expect(closed_at === null).toBe(status !== 'closed')
})

test('nothing is written after the plan, or the role of an admin, has ended', async () => {
  const { start, customerWrites, supportWrites, read, customer, admin, db } = await openRaces()
  const { id } = await start()
  const free = { subscription_plan: 'free', role: 'client' } as const
  const { won, refused } = await race(async (n): Promise<unknown> => {
    if (n !== 10) return n % 2 ? customerWrites(id, n) : supportWrites(id, n)
    const both = [customer.id, admin.id]
    return inTransaction(db, (trx) =>
      trx.updateTable('accounts').set(free).where('id', 'in', both).execute(),
    )
  })
  expect((await read(id)).messages).toHaveLength(won.length)
  for (const words of Object.keys(refused)) {
    expect(words).toMatch(/^forbidden: (Dedicated support is|Admin access required)/)
  }
  await expect(customerWrites(id, 99)).rejects.toThrow('Dedicated support is')
  await expect(supportWrites(id, 99)).rejects.toThrow('Admin access required')
})
