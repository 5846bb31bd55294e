import { askSoon, startPair, untilIs } from '#lab/support/standby.ts'

/** The standby copies the primary, confirms its commits, and has them after the primary was killed and it was promoted. */
export async function failOver(work: string): Promise<void> {
  const pair = await startPair(work)
  const url = pair.urlOf('postgres')
  try {
    await askSoon(url, 'create table kept (n int)')
    await askSoon(url, 'insert into kept values (7)')
    await pair.killPrimary()
    pair.promote()
    await untilIs(url, 'select n from kept', 7)
    // Nobody is waited for any more.
    await askSoon(url, 'insert into kept values (8)')
    await untilIs(url, 'select count(*)::int as n from kept', 2)
  } finally {
    await pair.stop()
  }
}
