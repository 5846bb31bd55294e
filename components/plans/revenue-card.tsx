import { ScanChart } from '#components/analytics/scan-chart.tsx'
import { formatRupees } from '#domain/number.ts'

type RevenueMonth = {
  /** as it is shown */
  label: string
  /** whole rupees */
  amount: number
}

/** The revenue of the last months, the present one last: a picture to the eye, a table to the ear. */
export function RevenueCard({ months }: { months: RevenueMonth[] }) {
  const bars = months.map(({ label, amount }) => ({ label, scans: amount }))
  return (
    <article className="card stat" aria-labelledby="revenue">
      <h2 className="text-md" id="revenue">
        Revenue
      </h2>
      <b>{formatRupees(months.at(-1)?.amount ?? 0)}</b>
      <span>Approved upgrades of this month</span>
      <div aria-hidden="true">
        <ScanChart
          days={bars}
          label="Revenue"
          format={formatRupees}
          unit="month"
          now={months.at(-1)?.label ?? ''}
        />
      </div>
      <table className="vh" aria-labelledby="revenue">
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col">Revenue</th>
          </tr>
        </thead>
        <tbody>
          {months.map(({ label, amount }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{formatRupees(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  )
}
