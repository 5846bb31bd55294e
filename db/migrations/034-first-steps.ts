/** Adds when a code was first printed, and when its user first opened its page by scanning it. */
const COLUMNS = ['printed_at', 'own_scan_at']

export const sqlite: readonly string[] = COLUMNS.map(
  (column) => `alter table qr_codes add column ${column} text`,
)
export const postgres: readonly string[] = sqlite.map((statement) => `${statement} collate "C"`)
