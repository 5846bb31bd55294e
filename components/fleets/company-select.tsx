import { FilterSelect } from '#components/forms/search-form.tsx'
import type { QrPlace } from '#domain/dashboard.ts'
import { formatCount } from '#domain/number.ts'

export type Company = { company_fleet_name: string; count: number }

/** Narrows the list to a company, with the number of codes of each. */
export function CompanySelect({ place, companies }: { place: QrPlace; companies: Company[] }) {
  const chosen = place.company_fleet_name ?? ''
  const listed = companies.map(({ company_fleet_name: id, count }) => {
    return { id, label: `${id} (${formatCount(count)})` }
  })
  const isListed = !chosen || listed.some(({ id }) => id === chosen)
  const options = [
    { id: '', label: 'All companies' },
    ...(isListed ? [] : [{ id: chosen, label: chosen }]),
    ...listed,
  ]
  const filter = { name: 'company_fleet_name', label: 'Company / Fleet', value: chosen, options }
  return <FilterSelect {...filter} />
}
