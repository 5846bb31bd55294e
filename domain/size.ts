/** Formats a number of bytes in powers of ten: `1.2 GB`, `34 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} KB`
  const [value, unit] = bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB']
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`
}
