import { describe, expect, test } from 'vitest'
import { withoutGuard } from '#domain/csv.ts'
import { EXAMPLE, IMPORT_COLUMNS, type OnDuplicate } from '#domain/fleets/import.ts'
import { beginCheck, countWrong, shownColumns } from '#domain/fleets/import-check.ts'
import { cellProblemText, readHeader, readImportRow } from '#domain/fleets/import-rows.ts'

const NAMES = ['vehicle_registration', 'owner_name', 'contact_phone', 'email', 'show_city']
const { header } = readHeader(NAMES)

function read(cells: string[], row = 2) {
  const found = readImportRow(header, cells, row)
  if (!found) throw new Error('The row is blank')
  return found
}

describe('the first row', () => {
  test('names the columns in any letter case and with spaces', () => {
    const { header, problems } = readHeader([' Owner Name ', 'CONTACT_PHONE', 'Blood group'])
    expect(header).toEqual(['owner_name', 'contact_phone', 'blood_group'])
    expect(problems).toEqual([])
  })

  test('says which columns are unknown, missing or there twice', () => {
    const { problems } = readHeader(['owner_name', 'colour', 'email', 'Email'])
    expect(problems.map(cellProblemText)).toEqual([
      'Row 1, colour: There is no such column. The template has all of them.',
      'Row 1, email: The column is there twice',
      'Row 1, contact_phone: The column is missing',
    ])
  })

  test('may have those of the export that an import leaves out', () => {
    const names = ['owner_name', 'contact_phone', 'qr_id', 'lost_since', 'account_email', '']
    expect(readHeader(names)).toEqual({
      header: ['owner_name', 'contact_phone', null, null, null, undefined],
      problems: [],
    })
  })
})

describe('a row', () => {
  test('is stored as the form stores it', () => {
    const { fields, problems } = read(['mh 14-gh 2708', ' Anil  Pawar', '98765 43210', '', 'no'])
    expect(problems).toEqual([])
    expect(fields).toEqual({
      vehicle_registration: 'MH14GH2708',
      owner_name: 'Anil  Pawar',
      contact_phone: '98765 43210',
      show_city: false,
    })
  })

  test('in which nothing stands is left out', () => {
    expect(readImportRow(header, ['', '  ', ''], 9)).toBeUndefined()
  })

  test('has the problems of the form, each at its column', () => {
    const { problems } = read(['', '', '98765', 'rehana@neelrath', 'maybe'], 14)
    expect(problems.map(cellProblemText)).toEqual([
      'Row 14, owner_name: Please enter the full name',
      'Row 14, contact_phone: Please enter a valid mobile number',
      'Row 14, email: Please enter a valid email address',
      'Row 14, show_city: show_city must be true or false',
    ])
  })

  test('may not have cells beyond the columns that have a name', () => {
    const { problems } = read(['', 'Anil', '9876543210', '', '', 'left over'])
    expect(problems.map(cellProblemText)).toEqual(['Row 2, column 6: The column has no name'])
  })

  test('does not repeat in each row that a column is missing', () => {
    const { header } = readHeader(['owner_name'])
    expect(readImportRow(header, ['Anil'], 2)?.problems).toEqual([])
  })

  test.each(['=1+1', ' =HYPERLINK("http://a.in")', '@SUM(A1)', '+cmd|calc', '-SUM(A1)'])(
    'may not have the formula %s',
    (formula) => {
      const { problems } = read(['', formula, '9876543210'])
      expect(problems.map(cellProblemText)).toEqual([
        'Row 2, owner_name: Formulas cannot be imported. Save the table with values.',
      ])
    },
  )

  test('is looked through once, however long a formula would be', () => {
    // A parser that searches for its end at each letter would exceed the time limit.
    const { problems } = read(['', 'Anil', `+${'a'.repeat(1_000_000)}`])
    expect(problems.map(cellProblemText)).toEqual([
      'Row 2, contact_phone: Mobile Number must be at most 200 characters',
    ])
  })

  test('of an export loses the sign that kept a spreadsheet from running it', () => {
    const { fields, problems } = read(['', "'=Anil", "'+919876543210"])
    expect(problems).toEqual([])
    expect(fields).toMatchObject({ owner_name: '=Anil', contact_phone: '+919876543210' })
    expect(withoutGuard("'Tis mine")).toBe("'Tis mine")
  })
})

describe('what becomes of rows', () => {
  const decideAll = (onDuplicate: OnDuplicate) => {
    const { check, decide } = beginCheck(onDuplicate)
    const rows: [string, boolean, boolean][] = [
      ['MH14GH2708', false, false],
      ['MH14GH2719', true, false],
      ['MH14GH2790', true, true],
      ['mh 14 gh 2708', false, false],
      ['', false, false],
      ['', false, false],
    ]
    const fates = rows.map(([plate, isThere, isHeld], i) =>
      decide(read([plate, 'Anil', '9876543210'], i + 2), { isThere, isHeld }),
    )
    return { check, fates }
  }

  test.each([
    ['error', ['create', 'wrong', 'wrong', 'wrong', 'create', 'create']],
    ['skip', ['create', 'skip', 'skip', 'wrong', 'create', 'create']],
    ['update', ['create', 'update', 'wrong', 'wrong', 'create', 'create']],
  ] as const)('with %s', (onDuplicate, fates) => {
    expect(decideAll(onDuplicate).fates).toEqual(fates)
  })

  test('is counted, and said of each row that is not just made', () => {
    const { check } = decideAll('update')
    expect(check).toMatchObject({ rows: 6, valid: 4, created: 3, updated: 1, skipped: 0 })
    expect(countWrong(check)).toBe(2)
    expect(check.errors.map(cellProblemText)).toEqual([
      'Row 4, vehicle_registration: This QR code was claimed and cannot be changed',
      'Row 5, vehicle_registration: This vehicle stands in row 2 too',
    ])
    expect(check.notable.map(({ row }) => row)).toEqual([3, 4, 5])
    expect(shownColumns(check)).toEqual(['vehicle_registration', 'owner_name', 'contact_phone'])
  })

  test('is said of at most 1,000 errors', () => {
    const { check, decide } = beginCheck('error')
    const standing = { isThere: false, isHeld: false }
    for (let row = 2; row < 1_502; row++) decide(read(['', '', '1'], row), standing)
    expect(check.errors).toHaveLength(1_000)
    expect(check).toMatchObject({ rows: 1_500, valid: 0 })
  })
})

test('the template’s example is a row that can be imported', () => {
  const { header, problems } = readHeader([...IMPORT_COLUMNS])
  const row = readImportRow(
    header,
    IMPORT_COLUMNS.map((column) => EXAMPLE[column] ?? ''),
    2,
  )
  expect([...problems, ...(row?.problems ?? [])]).toEqual([])
})
