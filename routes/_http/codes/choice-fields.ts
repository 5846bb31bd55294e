import { z } from '@hono/zod-openapi'
import { ANYWAY_FIELDS, type Anyway } from '#domain/codes/phones.ts'
import { CONTACT_MODES, THINGS } from '#domain/codes/visibility.ts'
import { flag } from '#routes/_http/schema.ts'
import { refusing } from '#routes/_http/schema-refusals.ts'

/** Makes the tick for a number that is in no plan. */
export function anywayTick(name: string) {
  const description = 'true: takes a number that fits no country as it is typed'
  return flag(name).optional().openapi({ description })
}

/** The schemas of the owner's choices for the page of a code. */
const visibilityFields = {
  contact_mode: z
    .enum(CONTACT_MODES, { error: refusing('invalid.contact_mode') })
    .optional()
    .openapi({
      description: 'relay: finders write first, and phone and email stay hidden',
    }),
  thing: z
    .enum(THINGS, { error: refusing('invalid.thing') })
    .optional()
    .openapi({
      description: 'where the code is: its page asks for the keys, the vehicle or the bag',
    }),
  show_vehicle: flag('show_vehicle').optional(),
  show_city: flag('show_city').optional(),
}

/** The ticks for the numbers of a code. */
const anywayFields = Object.fromEntries(
  ANYWAY_FIELDS.map((name) => [name, anywayTick(name)]),
) as Record<keyof Anyway, ReturnType<typeof anywayTick>>

/** The choices of a code's owner, and the ticks for the numbers. */
export const choiceFields = { ...visibilityFields, ...anywayFields }
