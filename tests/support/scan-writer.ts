/** A process that records scans of a code and prints a line when each is on the disk. */
import { openScanPath } from '#db/sqlite/scan-path.ts'

const [file = '', qr_id = '', count = '0'] = process.argv.slice(2)
const scanPath = openScanPath(file, () => new Date())
for (let i = 0; i < Number(count); i++) {
  await scanPath.record({ qr_id, device: 'phone', referrer: 'direct' })
  process.stdout.write('.')
}
await scanPath.close()
