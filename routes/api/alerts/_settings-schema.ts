import { z } from '@hono/zod-openapi'
import {
  ALERT_EVENTS,
  type AlertEvent,
  CHANNEL_KINDS,
  type ChannelKind,
  type Choice,
  SHARED_EVENTS,
} from '#domain/alerts/alert.ts'
import { STEP_MINUTES } from '#domain/alerts/escalation.ts'
import { CLOCK_TIME } from '#domain/alerts/quiet-hours.ts'
import { flag, payload } from '#routes/_http/schema.ts'
import { notAnObject, refusing } from '#routes/_http/schema-refusals.ts'
import { sessionCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'

/** An object with one value for each name. */
function eachOf<N extends string, S extends z.ZodType>(names: readonly N[], make: (name: N) => S) {
  return z.object(
    Object.fromEntries(names.map((name) => [name, make(name)])) as Record<N, S>,
    notAnObject,
  )
}

const settings = z
  .object({
    events: eachOf(ALERT_EVENTS, () => eachOf(CHANNEL_KINDS, () => z.boolean())).openapi({
      description: 'which events go to which channels',
    }),
    shared_events: eachOf(SHARED_EVENTS, () => eachOf(CHANNEL_KINDS, () => z.boolean())).openapi({
      description: 'the same for codes that others share with you',
    }),
    escalation: z
      .object({
        minutes: z.number().nullable().openapi({
          description: '5, 15, 30 or 60 between two people; null tells all at once',
        }),
        order: z.array(z.string()).openapi({ description: 'the accounts of people who help you' }),
        at_once: z.array(z.string()).openapi({ description: 'those of them who do not wait' }),
      })
      .openapi('Escalation'),
    quiet_hours: z
      .object({ from: z.string(), to: z.string() })
      .nullable()
      .openapi({ description: 'times of the day in TIMEZONE; null without quiet hours' }),
    vapid_public_key: z.string().nullable().openapi({
      description: 'for `PushManager.subscribe()`; null where Web Push is not possible',
    }),
  })
  .openapi('AlertSettings')

const noClockTime = refusing('invalid.clock_time')
const time = z
  .string({ error: noClockTime })
  .regex(CLOCK_TIME, noClockTime)
  .openapi({ pattern: CLOCK_TIME.source })

const noPeople = refusing('invalid.escalation_people')
const accounts = z.array(z.string({ error: noPeople }), { error: noPeople })

/** Any part of the settings; other parts stay as they are. */
const change = payload({
  events: eachOf(ALERT_EVENTS, (event) =>
    eachOf(CHANNEL_KINDS, (kind) => flag(`${event}.${kind}`).optional()).optional(),
  ).optional(),
  shared_events: eachOf(SHARED_EVENTS, (event) =>
    eachOf(CHANNEL_KINDS, (kind) => flag(`${event}.${kind}`).optional()).optional(),
  ).optional(),
  escalation: payload({
    minutes: z
      .literal([...STEP_MINUTES, null], { error: refusing('invalid.escalation_minutes') })
      .optional(),
    order: accounts.optional(),
    at_once: accounts.optional(),
  }).optional(),
  quiet_hours: payload({ from: time, to: time }).nullable().optional(),
}).transform(({ events = {}, shared_events = {}, escalation, quiet_hours }) => ({
  choices: [
    ...ALERT_EVENTS.flatMap((event) => choicesOf(event, events[event])),
    ...SHARED_EVENTS.flatMap((event) => choicesOf(event, shared_events[event], true)),
  ],
  ...(escalation && { escalation }),
  ...(quiet_hours !== undefined && { quietHours: quiet_hours }),
}))

function choicesOf(
  event: AlertEvent,
  chosen: Partial<Record<ChannelKind, boolean | undefined>> = {},
  isShared = false,
): Choice[] {
  return CHANNEL_KINDS.flatMap((kind) => {
    const isOn = chosen[kind]
    return isOn === undefined ? [] : [{ event, kind, isOn, isShared }]
  })
}

const call = sessionCalls('Alerts')

export const get = call('getAlertSettings', 'Read which events reach you, and when they wait', {
  get: '/settings',
  200: answer('The settings', settings),
})
export const put = call('changeAlertSettings', 'Change any part of the settings', {
  put: '/settings',
  body: jsonBody(change, {
    events: { scan: { push: true } },
    quiet_hours: { from: '22:00', to: '07:00' },
  }),
  200: answer('All settings as they are now', settings),
})
