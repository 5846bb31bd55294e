import { expect } from 'vitest'
import { openUncounted, readSections } from '#tests/support/authorisation.ts'
import { callOn } from '#tests/support/calls.ts'
import { testOnPostgres } from '#tests/support/database.ts'
import { endOf, identify, newAccount, type Principal, send } from '#tests/support/principals.ts'
import { thingsOf } from '#tests/support/things.ts'

const named = readSections()
  .flatMap(({ rows }) => rows.map(({ call }) => call))
  .filter((call) => /[{:]/.test(call))

/** PostgreSQL cannot store a zero character, and refuses to look for one. */
testOnPostgres.each<Principal>(['anonymous', 'enterprise', 'super_admin'])(
  'an id with a zero character is as unknown as any other to %s, and no failure',
  async (who) => {
    const app = await openUncounted()
    const answerTo = async (call: string, id: string) => {
      const account = await newAccount(app, who)
      const sent = await callOn(thingsOf(app, account), call)
      const path = call.split(' ')[1]?.replaceAll(/{\w+}|:\w+/g, id) ?? ''
      const answer = await send(app, { ...sent, path }, await identify(app, who, account, path))
      await endOf(answer)
      return answer.status
    }
    for (const call of named) {
      const [unknown, zero] = [await answerTo(call, 'none'), await answerTo(call, 'no%00ne')]
      expect([call, zero]).toEqual([call, unknown])
    }
    expect(app.logged.join('')).not.toContain('request failed')
  },
)
