import { CommandError, DomainError, type ErrorKind } from '#domain/error.ts'

export const RACERS = 20
const MOST_TRIES = 5

type Outcome<T> = {
  /** what those were answered who were not refused */
  won: T[]
  /** how often each refusal was given, by its code and its words */
  refused: Record<string, number>
}

/** The calls that `act` makes all at once. Only a refusal that a person may read is a lost race. */
export async function race<T>(
  act: (n: number) => Promise<T>,
  count: number = RACERS,
): Promise<Outcome<T>> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, (_, n) => act(n)))
  const won: T[] = []
  const refused: Outcome<T>['refused'] = {}
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') won.push(outcome.value)
    else if (outcome.reason instanceof DomainError) {
      const { kind, message } = outcome.reason
      const words = `${kind}: ${message}` satisfies `${ErrorKind}: ${string}`
      refused[words] = (refused[words] ?? 0) + 1
    } else if (outcome.reason instanceof CommandError) {
      const { message } = outcome.reason
      refused[message] = (refused[message] ?? 0) + 1
    } else throw outcome.reason
  }
  return { won, refused }
}

/** Makes requests at once. Returns how many had each status. */
export async function raceStatuses(
  act: (n: number) => Promise<{ status: number }>,
  count: number = RACERS,
): Promise<Record<string, number>> {
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => act(n)))
  return countEach(answers.map(({ status }) => status))
}

/** Makes a request again that is answered 503, because its transaction collided too often or the database is busy. */
export async function insist<T extends { status: number }>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const answer = await act()
    if (answer.status !== 503 || tries === MOST_TRIES) return answer
  }
}

/** Counts equal answers. */
export function countEach<T extends string | number | boolean | undefined>(
  all: T[],
): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const each of all) counts[String(each)] = (counts[String(each)] ?? 0) + 1
  return counts
}
