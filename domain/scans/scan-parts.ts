import { THINGS } from '#domain/codes/visibility.ts'
import type { ScanLinks, ScanPopup, ScanView } from '#domain/scans/scan-view.ts'

export type Part = string | number | boolean | null | undefined
/** Returns the part itself, or another one of its type in its place. */
export type MapPart = <T extends Part>(part: T) => T

/** The data of the finder's contact page. */
export type ScanFinding = { view: ScanView; popup?: ScanPopup | undefined }

/**
 * Returns the data of a page with each part mapped, in the same order for each page. The types
 * require every field of a view, so that no text can become part of a page's template.
 */
export function mapScanParts({ view, popup }: ScanFinding, map: MapPart): ScanFinding {
  const optional = optionalBy(map)
  // A number, because another thing makes another page.
  map(THINGS.indexOf(view.thing))
  return {
    view: {
      qr_id: map(view.qr_id),
      qr_type: map(view.qr_type),
      is_claimed: map(view.is_claimed),
      is_child_registered: map(view.is_child_registered),
      has_pin: map(view.has_pin),
      thing: view.thing,
      owner_name: map(view.owner_name),
      contact_phone: map(view.contact_phone),
      email: map(view.email),
      city_area: map(view.city_area),
      emergency_contact_name: map(view.emergency_contact_name),
      emergency_contact_phone: map(view.emergency_contact_phone),
      blood_group: map(view.blood_group),
      vehicle_registration: map(view.vehicle_registration),
      vehicle_make_model: map(view.vehicle_make_model),
      company_fleet_name: map(view.company_fleet_name),
      public_message: map(view.public_message),
      is_default_message: map(view.is_default_message),
      is_relay: map(view.is_relay),
      lost: optional(view.lost, ({ since, note, reward }) => {
        return { since: map(since), note: map(note), reward: map(reward) }
      }),
      links: mapLinks(view.links, map),
    },
    popup: optional(popup, ({ images, messages }) => {
      map(images.length)
      map(messages.length)
      return {
        images: images.map(({ id, url, width, height }) => {
          return { id, url: map(url), width: map(width), height: map(height) }
        }),
        messages: messages.map(({ id, title, content }) => {
          return { id, title: map(title), content: map(content) }
        }),
      }
    }),
  }
}

/** All links, which may be undefined but not left out. */
type EachLink = { [K in keyof Required<ScanLinks>]: ScanLinks[K] }

function mapLinks(links: ScanLinks, map: MapPart): EachLink {
  const optional = optionalBy(map)
  return {
    message: map(links.message),
    call: optional(links.call, ({ href, display }) => ({ href: map(href), display: map(display) })),
    whatsapp: optional(links.whatsapp, ({ href, code }) => ({ href: map(href), code: map(code) })),
    sms: map(links.sms),
    email: optional(links.email, ({ href, hasSubject }) => {
      return { href: map(href), hasSubject: map(hasSubject) }
    }),
    emergency: optional(links.emergency, ({ name, href, display }) => {
      return { name: map(name), href: map(href), display: map(display) }
    }),
  }
}

/** Maps whether there is a group of parts, and its parts only if there is one. */
function optionalBy(map: MapPart) {
  return <G extends object | null | undefined>(
    group: G,
    mapGroup: (group: NonNullable<G>) => NonNullable<G>,
  ): G => (map(Boolean(group)) && group ? mapGroup(group) : group)
}
