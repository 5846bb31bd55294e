import { LANDING_PICTURES, type LandingPicture } from '#domain/landing-pictures.ts'

/** The address of each picture. */
export type LandingPictures = Record<LandingPicture, string>

const LOOKS: Record<LandingPicture, { title: string; text: string; alt: string }> = {
  hidden: {
    title: 'Your number stays hidden',
    text: 'Choose that finders write to you, and nobody sees your number.',
    alt: 'The page after a scan on a phone: Message owner, and no number',
  },
  reminders: {
    title: 'Reminders in time',
    text: 'Insurance, PUC and service: you hear of them before they end.',
    alt: 'My QR Codes on a phone: a service and an insurance that end soon',
  },
  languages: {
    title: 'Eleven languages',
    text: 'Finders read the page in Hindi, Tamil, Urdu or eight others.',
    alt: 'The page after a scan on a phone, in Hindi',
  },
}

/** The product as it looks on a phone. */
export function LandingLooks({ pictures }: { pictures: LandingPictures }) {
  return (
    <section className="wrap looks stack gap-6">
      <h2>See it</h2>
      <ul className="shots">
        {LANDING_PICTURES.map((name) => (
          <li key={name} className="stack gap-1">
            <img
              src={pictures[name]}
              alt={LOOKS[name].alt}
              width={390}
              height={780}
              loading="lazy"
            />
            <h3>{LOOKS[name].title}</h3>
            <p>{LOOKS[name].text}</p>
          </li>
        ))}
      </ul>
      <p>
        It also runs on your own server: one process and one file, and your data stays with you.
      </p>
    </section>
  )
}
