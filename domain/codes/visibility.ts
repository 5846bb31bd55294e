import { DomainError } from '#domain/error.ts'

type Flag = boolean | number

export const CONTACT_MODES = ['public', 'relay'] as const
/** `relay`: finders write first, and the owner's number and e-mail stay hidden. */
export type ContactMode = (typeof CONTACT_MODES)[number]

/** Where a code is, in the order of the form. */
export const THINGS = ['keys', 'vehicle', 'bag', 'other'] as const
/** The thing that a finder of a code has found. */
export type Thing = (typeof THINGS)[number]

/** The owner's choices for the page of a code. */
export type Visibility = {
  contact_mode: ContactMode
  thing: Thing
  show_vehicle: boolean
  show_city: boolean
}

/**
 * Reads the sent choices of the owner. A form sends its ticks as `1` or `0`. Throws invalid for
 * another contact mode or thing.
 */
export function cleanVisibility(sent: Record<string, unknown>): Partial<Visibility> {
  const { contact_mode, thing, show_vehicle, show_city } = sent
  return {
    ...(contact_mode !== undefined && { contact_mode: readContactMode(contact_mode) }),
    ...(thing !== undefined && { thing: readThing(thing) }),
    ...(show_vehicle !== undefined && { show_vehicle: isTicked(show_vehicle) }),
    ...(show_city !== undefined && { show_city: isTicked(show_city) }),
  }
}

function readContactMode(value: unknown): ContactMode {
  const mode = CONTACT_MODES.find((each) => each === value)
  if (!mode) throw new DomainError('invalid.contact_mode')
  return mode
}

function readThing(value: unknown): Thing {
  const thing = THINGS.find((each) => each === value)
  if (!thing) throw new DomainError('invalid.thing')
  return thing
}

function isTicked(value: unknown): boolean {
  return value === true || value === '1'
}

/** The stored choices of the owner for the page of a code. */
export type Chosen = { contact_mode: ContactMode; show_vehicle: Flag; show_city: Flag }

type Hideable = keyof typeof VEHICLE | 'owner_name' | 'contact_phone' | 'email' | 'city_area'

const VEHICLE = { vehicle_registration: null, vehicle_make_model: null, company_fleet_name: null }

/** Returns the values in place of the fields that the owner hides from strangers. */
export function hiddenFields(
  { owner_name }: { owner_name: string | null },
  { contact_mode, show_vehicle, show_city }: Chosen,
): Partial<Record<Hideable, string | null>> {
  return {
    ...(contact_mode === 'relay' && {
      contact_phone: null,
      email: null,
      owner_name: firstWord(owner_name),
    }),
    ...(!show_vehicle && VEHICLE),
    ...(!show_city && { city_area: null }),
  }
}

/** Returns the part of an owner's name that finders see when the number is hidden. */
export function firstWord(name: string | null): string | null {
  return name?.trim().split(/[\s,]/)[0] || null
}

type Columns = {
  contact_mode: ContactMode
  thing: Thing
  show_vehicle: 0 | 1
  show_city: 0 | 1
  lost_since: null
  lost_note: null
  lost_reward: null
  stopped_by_report: null
  hold_until: null
}

/** The columns of a code that is visible as before there was a choice, and not lost. */
export const VISIBLE: Columns = {
  contact_mode: 'public',
  thing: 'keys',
  show_vehicle: 1,
  show_city: 1,
  lost_since: null,
  lost_note: null,
  lost_reward: null,
  stopped_by_report: null,
  hold_until: null,
}
