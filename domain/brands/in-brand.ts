import { inName } from '#domain/brands/brand.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { type Message, mapText } from '#locales/message.ts'

/** Returns the texts of a catalogue with the brand's name in place of the product's. */
export function inBrand(words: Catalogue, name: string): Catalogue {
  const named = (text: string) => inName(text, name)
  const inParts = <V>(message: Message<V>) => mapText(message, named)
  const { scan, reset, take, mails } = words
  return {
    ...words,
    scan: { ...scan, greeting: inParts(scan.greeting), serviceNote: named(scan.serviceNote) },
    reset: { ...reset, description: named(reset.description) },
    take: { ...take, description: named(take.description) },
    mails: {
      ...mails,
      from: inParts(mails.from),
      resetLink: { ...mails.resetLink, subject: named(mails.resetLink.subject) },
    },
  }
}
