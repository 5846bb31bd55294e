import { inName } from '#domain/brands/brand.ts'
import { THINGS } from '#domain/codes/visibility.ts'
import type { Catalogue, ScanTexts } from '#locales/catalogue.ts'
import { type Message, mapText } from '#locales/message.ts'

/** Returns the texts of a catalogue with the brand's name in place of the product's. */
export function inBrand(words: Catalogue, name: string): Catalogue {
  const named = (text: string) => inName(text, name)
  const inParts = <V>(message: Message<V>) => mapText(message, named)
  const { scan, reset, take, invite, mails } = words
  return {
    ...words,
    scan: {
      ...scan,
      things: withGreetings(scan.things, named),
      serviceNote: named(scan.serviceNote),
    },
    reset: { ...reset, description: named(reset.description) },
    take: { ...take, description: named(take.description) },
    invite: {
      ...invite,
      title: named(invite.title),
      description: named(invite.description),
    },
    mails: {
      ...mails,
      from: inParts(mails.from),
      resetLink: { ...mails.resetLink, subject: named(mails.resetLink.subject) },
    },
  }
}

function withGreetings(things: ScanTexts['things'], change: (text: string) => string) {
  const changed = THINGS.map((thing) => {
    const { greeting, ...texts } = things[thing]
    return [thing, { ...texts, greeting: mapText(greeting, change) }]
  })
  return Object.fromEntries(changed) as ScanTexts['things']
}
