import { describe, expect, test } from 'vitest'
import { toCsv, withoutGuard } from '#domain/csv.ts'
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

  test('may have a number that fits no country, by a yes beside it', () => {
    const { header } = readHeader(['owner_name', 'contact_phone', 'contact_phone_anyway'])
    const readWith = (answer: string) =>
      readImportRow(header, ['Anil Pawar', '(415) 555-2671', answer], 2)
    expect(readWith('')?.problems.map(cellProblemText)).toEqual([
      'Row 2, contact_phone: This does not look like a number in India. Use it anyway? (or write yes under contact_phone_anyway)',
    ])
    expect(readWith('no')?.problems).toHaveLength(1)
    expect(readWith('maybe')?.problems).toHaveLength(2)
    expect(readWith('Yes')).toMatchObject({
      problems: [],
      fields: { contact_phone: '(415) 555-2671', contact_phone_anyway: true },
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

describe('the result of each row', () => {
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

describe('a cell that a spreadsheet rewrote', () => {
  const NAMES = [
    'owner_name',
    'contact_phone',
    'insurance_expiry_date',
    'blood_group',
    'vehicle_registration',
  ]
  const { header } = readHeader(NAMES)
  const read = (cells: Record<string, string>) =>
    readImportRow(
      header,
      NAMES.map(
        (name) => ({ owner_name: 'Asha', contact_phone: '9876543210', ...cells })[name] ?? '',
      ),
      2,
    )

  test.each([
    '31-03-2027',
    '31/03/2027',
    '31.03.2027',
    '31/3/27',
    '31-Mar-27',
    '31 March 2027',
    '३१-०३-२०२७',
    '2027-03-31',
  ])('is a date with the day first: %s', (insurance_expiry_date) => {
    const row = read({ insurance_expiry_date })
    expect([row?.problems, row?.fields.insurance_expiry_date]).toEqual([[], '2027-03-31'])
  })

  test.each(['03/31/2027', '31-02-2027', 'soon'])(
    'is no date, never the month first: %s',
    (typed) => {
      expect(read({ insurance_expiry_date: typed })?.problems).toEqual([
        {
          row: 2,
          column: 'insurance_expiry_date',
          detail: 'Please enter a date like 31-03-2027 or 2027-03-31',
        },
      ])
    },
  )

  test.each([
    ['contact_phone', '9.87654E+09'],
    ['contact_phone', '9.19877E+11'],
    ['vehicle_registration', '1.20E+06'],
  ])('has lost its digits: %s %s', (column, text) => {
    const detail = 'A spreadsheet has shortened this number. The column must be text.'
    expect(read({ [column]: text })?.problems).toEqual([{ row: 2, column, detail }])
  })

  test.each(['9876543210.0', "'9876543210", '९८७६५४३२१०'])('is a number: %s', (contact_phone) => {
    expect(read({ contact_phone })?.problems).toEqual([])
  })

  test.each([
    ['o+', 'O+'],
    ['O+ve', 'O+'],
    ['o +ve', 'O+'],
    ['AB negative', 'AB-'],
    ['b (pos)', 'B+'],
    ['0 Positive', 'O+'],
  ])('is the blood group %s', (blood_group, stored) => {
    const row = read({ blood_group })
    expect([row?.problems, row?.fields.blood_group]).toEqual([[], stored])
  })

  test('is no blood group, and the choices are named', () => {
    expect(read({ blood_group: 'C+' })?.problems).toMatchObject([
      { detail: 'Please enter A+, A-, B+, B-, AB+, AB-, O+ or O-' },
    ])
  })

  test('has a number of no country', () => {
    expect(read({ contact_phone: '14155552671' })?.problems).toMatchObject([
      {
        detail:
          'This does not look like a number in India. Begin a number from abroad with + (or write yes under contact_phone_anyway)',
      },
    ])
  })
})

test.each(['12E5', '1-2', '0012', '919876543210', 'Mar 12', '1/2', '12:30', '1-Feb'])(
  '%s comes back from an export as it was',
  (text) => {
    const [cell = ''] = toCsv([[text]]).split('\r\n')
    expect(cell).toBe(`'${text}`)
    expect(withoutGuard(cell)).toBe(text)
  },
)

test.each(['12', 'MH12QX4827', '2027-03-31', '98765 43210', 'Martha 12'])(
  '%s is exported as it is',
  (text) => expect(toCsv([[text]])).toBe(`${text}\r\n`),
)
