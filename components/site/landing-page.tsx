import { Icon, type IconName } from '#components/icons/icon.tsx'
import { LandingArt } from '#components/site/landing-art.tsx'
import { LandingLooks, type LandingPictures } from '#components/site/landing-looks.tsx'
import { LandingPlans, type PlanOffer } from '#components/site/landing-plans.tsx'
import { PublicBar, PublicFooter } from '#components/site/public-bar.tsx'
import { hasPlans } from '#domain/plans/offer.ts'

export type { PlanOffer }

type LandingPageProps = { plans: PlanOffer[]; pictures: LandingPictures }

export function LandingPage({ plans, pictures }: LandingPageProps) {
  return (
    <>
      <PublicBar />
      <main>
        <Hero />
        <Features />
        <HowItWorks />
        <LandingLooks pictures={pictures} />
        {hasPlans() && <LandingPlans plans={plans} />}
        {hasPlans() ? <ClosingCall /> : <OwnCall />}
      </main>
      <PublicFooter />
    </>
  )
}

function Hero() {
  return (
    <section className="wrap hero">
      <div className="stack gap-5">
        <h1>Lost keys find their way home.</h1>
        <p>
          A smart QR keychain for your car, bike or scooter. Whoever finds it scans it and calls
          you. That is all they need to do.
        </p>
        <div className="row">
          <a className="btn btn-main" href="/login">
            Create My QR Code
          </a>
          <a className="btn" href="/scan/DEMO">
            See Demo
          </a>
        </div>
      </div>
      <LandingArt />
    </section>
  )
}

const FEATURES: { icon: IconName; title: string; text: string }[] = [
  {
    icon: 'search',
    title: 'Lost & Found System',
    text: 'A finder scans the tag and reaches you in one tap. No app on their phone.',
  },
  {
    icon: 'doc',
    title: 'Digital Document Storage',
    text: 'RC book, insurance, licence and PUC, kept in one safe place.',
  },
  {
    icon: 'shield',
    title: 'Police Authority Access',
    text: 'You choose which papers are public: whoever scans the tag can open those, the police too.',
  },
  {
    icon: 'mobile',
    title: 'Mobile Optimized',
    text: 'Light pages that open on any phone, even on a weak network.',
  },
  {
    icon: 'chart',
    title: 'Scan Analytics',
    text: 'See the date and time of every scan of your codes.',
  },
  {
    icon: 'users',
    title: 'Multi-User Support',
    text: 'Child QR codes for your family, bulk codes for your fleet.',
  },
]

function Features() {
  return (
    <section className="band">
      <div className="wrap stack gap-6">
        <h2>More than a tag</h2>
        <div className="cards features">
          {FEATURES.map(({ icon, title, text }) => (
            <article key={title} className="card feature">
              <Icon name={icon} />
              <h3>{title}</h3>
              <p>{text}</p>
            </article>
          ))}
        </div>
      </div>
    </section>
  )
}

const STEPS = [
  ['Register and set up', 'Sign up with your email, add your name, number and vehicle.'],
  ['Upload documents', 'Add RC, insurance and PUC. Switch each one public or private.'],
  ['Scan and connect', 'Hang the tag on your key. A finder scans it and you get the call.'],
] as const

function HowItWorks() {
  return (
    <section className="road">
      <div className="wrap">
        <h2>How It Works</h2>
        <ol className="steps">
          {STEPS.map(([title, text], index) => (
            <li key={title}>
              <b aria-hidden="true">{index + 1}</b>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

/** Without plans nothing has a price. */
function OwnCall() {
  return (
    <section className="wrap cta">
      <h2 className="text-2xl">Make one for your keys or your windscreen</h2>
      <a className="btn btn-main" href="/login">
        Create My QR Code
      </a>
    </section>
  )
}

function ClosingCall() {
  return (
    <section className="wrap cta">
      <h2 className="text-2xl">Your first QR code is free</h2>
      <div className="row center">
        <a className="btn btn-main" href="/login">
          Create Free Account
        </a>
        <a className="btn" href="#pricing">
          View Pricing
        </a>
      </div>
    </section>
  )
}
