export type ChartDay = { label: string; scans: number }

const WIDTH = 300
const HEIGHT = 92
const BASE = 74
const TALLEST = 62
/** A day without scans is a line: one sees that it was counted. */
const FLATTEST = 1.5
const BAR = 15

type ScanChartProps = {
  days: ChartDay[]
  /** the label and figures of a chart of another thing than scans */
  label?: string
  format?: (figure: number) => string
  /** what one bar is, and the name of the last one */
  unit?: string
  now?: string
}

/** Scans of the last days, today's last: a picture to the eye, its figures to the ear. */
export function ScanChart({
  days,
  label = 'Scans',
  format = String,
  unit = 'day',
  now = 'Today',
}: ScanChartProps) {
  const most = Math.max(1, ...days.map(({ scans }) => scans))
  const step = (WIDTH + 1) / days.length
  const figures = days.map(({ scans }) => format(scans)).join(', ')
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${label} per ${unit}, last ${days.length} ${unit}s: ${figures}`}
    >
      <line x1="0" x2={WIDTH} y1={BASE + 0.5} y2={BASE + 0.5} />
      {days.map(({ label, scans }, i) => {
        const height = round(Math.max(FLATTEST, (scans / most) * TALLEST))
        const today = i === days.length - 1
        return (
          <rect
            key={label}
            className={today ? 'now' : undefined}
            x={round(2 + i * step)}
            y={round(BASE - height)}
            width={BAR}
            height={height}
            rx="2.5"
          />
        )
      })}
      <text x="2" y="89">
        {days[0]?.label}
      </text>
      <text x={WIDTH - 2} y="89" textAnchor="end">
        {now}
      </text>
    </svg>
  )
}

function round(length: number): number {
  return Math.round(length * 10) / 10
}
