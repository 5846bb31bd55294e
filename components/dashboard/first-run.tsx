import { CreateLink, type MakingProps, MoreWays } from '#components/dashboard/qr-lead.tsx'
import { TextField } from '#components/forms/field.tsx'
import { PlanOver, PlanWords, type PlanWordsView } from '#components/plans/plan-words.tsx'
import { Lane } from '#components/tags/lane.tsx'

type FirstRunProps = MakingProps & {
  plan: PlanWordsView
  /** the picture of a code on the drawn tag */
  image: string
}

const STEPS = [
  { title: 'Make your code', content: <p>Your name and mobile number. It takes a minute.</p> },
  { title: 'Print it', content: <p>At home or at a copy shop, or save it as a picture.</p> },
  { title: 'Try it', content: <p>Scan it with your phone, as a finder does.</p> },
]

/** Shows an account without a code the way to its first one, and nothing beside it. */
export function FirstRun({ plan, image, ...making }: FirstRunProps) {
  const { place, ways } = making
  return (
    <div className="start">
      {plan.ended && <PlanOver ended={plan.ended} />}
      <section className="sheet start-sheet">
        <KeyRing image={image} />
        <div className="start-words">
          <h2>No QR Codes Yet</h2>
          <p>Three short steps, and lost keys know their way home.</p>
          <Lane steps={STEPS} />
        </div>
        <div className="lead-acts">
          {ways.create && <CreateLink place={place} className="btn btn-main" />}
          <MoreWays {...making} />
        </div>
      </section>
      <div className="start-foot">
        <HasTag />
        {!plan.ended && <PlanWords view={plan} />}
      </div>
    </div>
  )
}

/** Leads to the claim of a printed tag by the code on it. */
function HasTag() {
  return (
    <details className="fold">
      <summary>You already have a tag?</summary>
      <form className="stack gap-3" method="get" action="/claim">
        <TextField
          name="qr"
          label="Code on the tag"
          hint="Or scan it with the camera of your phone."
          placeholder="7K3M-Q9WD-4XTP"
          className="input-upper"
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          required
        />
        <button className="btn" type="submit">
          Claim QR Code
        </button>
      </form>
    </details>
  )
}

function KeyRing({ image }: { image: string }) {
  return (
    <svg className="start-art" viewBox="0 0 300 300" role="img" aria-label="A key ring with a tag">
      <circle cx="150" cy="48" r="34" fill="none" stroke="#4a4230" strokeWidth="9" />
      <g fill="#d9cfb4" stroke="#1a1710" strokeWidth="4" strokeLinejoin="round">
        <path d="M84 84 40 200l14 5 6-15 12 4 4-12-11-5 33-86z" transform="rotate(8 84 84)" />
        <circle cx="96" cy="72" r="27" />
        <circle cx="92" cy="66" r="8" fill="none" />
      </g>
      <path
        d="M108 280V142a56 56 0 0 1 112 0v138a12 12 0 0 1-12 12h-88a12 12 0 0 1-12-12z"
        fill="#fff"
        stroke="#1a1710"
        strokeWidth="6"
      />
      <path d="M111 150v-8a53 53 0 0 1 106 0v8z" fill="#ffc61a" />
      <path d="M108 150h112" stroke="#1a1710" strokeWidth="5" />
      <circle cx="164" cy="118" r="11" fill="#fff" stroke="#1a1710" strokeWidth="5" />
      <image href={image} x="113" y="157" width="102" height="102" />
      <text x="164" y="274" textAnchor="middle" fontSize="11.5" fontWeight="800" fill="#1a1710">
        Found? Scan me
      </text>
    </svg>
  )
}
