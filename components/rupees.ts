const INDIAN = new Intl.NumberFormat('en-IN')

/** Whole rupees as people in India write them: ₹1,24,870. */
export function formatRupees(rupees: number): string {
  return `₹${INDIAN.format(rupees)}`
}
