import type { LabelPlan } from '#domain/codes/label-look.ts'
import { labelPlace, labelsPerPage } from '#domain/codes/label-sheets.ts'

const SIGN = '#ffc61a'
const INK = '#1a1710'
const LINE = '#857b63'
const SPENT = '#e4e0d6'

/** Three corners that everybody takes for a QR code, on a square of 7 by 7. */
const CODE =
  'M0 0h3v3h-3zM.7 .7v1.6h1.6v-1.6zM4 0h3v3h-3zM4.7 .7v1.6h1.6v-1.6zM0 4h3v3h-3zM.7 4.7v1.6h1.6v-1.6zM4 4h1v1h-1zM5.5 5h1.5v1h-1.5zM4 6h2v1h-2z'

type PreviewProps = {
  plan: LabelPlan
  start: number
  /** how many labels are printed */
  count: number
  /** Takes the pressed label as the start. */
  onStart?: ((start: number) => void) | undefined
}

/** The first page as it will be printed; labels before the start are those that are used up. */
export function LabelPreview({ plan, start, count, onStart }: PreviewProps) {
  const perPage = labelsPerPage(plan.grid)
  const { page } = plan.grid
  const onFirst = Math.min(count, perPage - start + 1)
  return (
    <div className="label-sheet">
      <svg
        viewBox={`0 0 ${page.width} ${page.height}`}
        role="img"
        aria-label={`First page: ${onFirst} of ${perPage} labels`}
      >
        {plan.look !== 'plain' && <path d="M10 8v2h50v-2" fill="none" stroke={INK} />}
        {placesOf(plan).map((n) => (
          <PreviewLabel
            key={n}
            plan={plan}
            n={n}
            state={n < start - 1 ? 'spent' : n < start - 1 + count ? 'printed' : 'empty'}
          />
        ))}
      </svg>
      {onStart && perPage > 1 && <LabelPlaces plan={plan} onStart={onStart} />}
    </div>
  )
}

function placesOf(plan: LabelPlan): number[] {
  return Array.from({ length: labelsPerPage(plan.grid) }, (_, n) => n)
}

type PlacesProps = { plan: LabelPlan; onStart: (start: number) => void }

/** A pressed label is the first to print on. Keys and screen readers have the field for it. */
function LabelPlaces({ plan, onStart }: PlacesProps) {
  const { page } = plan.grid
  return (
    <svg viewBox={`0 0 ${page.width} ${page.height}`} aria-hidden="true">
      {placesOf(plan).map((n) => {
        const { page: _, ...place } = labelPlace(plan.grid, n)
        // biome-ignore lint/a11y/noStaticElementInteractions: the field does the same for all others
        return <rect key={n} {...place} rx="2" fill="transparent" onClick={() => onStart(n + 1)} />
      })}
    </svg>
  )
}

type LabelProps = { plan: LabelPlan; n: number; state: 'spent' | 'printed' | 'empty' }

function PreviewLabel({ plan, n, state }: LabelProps) {
  const { x, y, width, height } = labelPlace(plan.grid, n)
  const paper = state === 'spent' ? SPENT : '#fff'
  if (state !== 'printed' || plan.look === 'plain') {
    return (
      <g transform={`translate(${x} ${y})`}>
        <rect width={width} height={height} rx="2" fill={paper} stroke={LINE} strokeWidth=".6" />
        {state === 'printed' && <Code plan={plan} />}
      </g>
    )
  }
  const roof = width / 2
  const { square } = plan
  return (
    <g transform={`translate(${x} ${y})`}>
      {plan.look === 'tag' ? (
        <>
          <path
            d={`M0 ${roof}a${roof} ${roof} 0 0 1 ${width} 0v${height - roof}h${-width}z`}
            fill="#fff"
            stroke={LINE}
            strokeWidth=".6"
          />
          <path d={`M0 ${roof}a${roof} ${roof} 0 0 1 ${width} 0z`} fill={SIGN} />
          <circle cx={roof} cy="7.5" r="2.5" fill="#fff" />
        </>
      ) : (
        <>
          <rect width={width} height={height} rx="5" fill={SIGN} stroke={LINE} strokeWidth=".6" />
          <rect x={square.x} y={square.y} width={square.width} height={square.height} fill="#fff" />
        </>
      )}
      <Code plan={plan} />
    </g>
  )
}

/** The code, and a bar for each line of words that height leaves visible. */
function Code({ plan: { square, module, texts, look } }: { plan: LabelPlan }) {
  const side = square.width - 8 * module
  const at = `translate(${square.x + 4 * module} ${square.y + 4 * module}) scale(${side / 7})`
  const words = look === 'plain' ? texts : texts.slice(1)
  return (
    <>
      <path transform={at} d={CODE} fill={INK} fillRule="evenodd" />
      {words.map(({ box }) => (
        <rect
          key={box.y}
          x={box.x + box.width * 0.2}
          y={box.y + box.height / 2 - 1}
          width={box.width * 0.6}
          height="2"
          fill={LINE}
        />
      ))}
    </>
  )
}
