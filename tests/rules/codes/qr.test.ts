import { describe, expect, it } from 'vitest'
import {
  assertQuantity,
  BLOOD_GROUPS,
  changedFields,
  cleanQrFields,
  DEFAULT_CLAIM_MESSAGE,
  DEFAULT_PUBLIC_MESSAGE,
  normalizeRegistration,
  pinProblem,
  QR_FIELDS,
  QR_TABS,
  type QrField,
  qrFieldProblem,
  qrFieldsProblem,
  SECRET_LOCK_MINUTES,
  SECRET_MAX_TRIES,
} from '#domain/codes/qr.ts'
import { textOf } from '#tests/support/refusals.ts'

const required = { owner_name: 'Ramesh Kulkarni', contact_phone: '+91 98765 43210' }

describe('the fields of a code', () => {
  it('stand in the tabs of the form in the order of the specification, before what a finder sees', () => {
    const SPECIFIED = {
      'Basic Info': ['Full Name', 'Mobile Number', 'Email', 'City / Area', 'Public Message'],
      Vehicle: [
        'Vehicle Registration',
        'Vehicle Make & Model',
        'Driving License Number',
        'Insurance Policy Number',
        'Insurance Expiry Date',
        'Next Service Due',
      ],
      Emergency: ['Emergency Contact Name', 'Emergency Contact Phone', 'Blood Group'],
      Misc: ['Company / Fleet Name', 'Optional PIN', 'Notes / Instructions'],
    }
    expect([...Object.keys(SPECIFIED), 'Finder']).toEqual(QR_TABS)
    for (const [tab, labels] of Object.entries(SPECIFIED)) {
      const inTab = Object.values(QR_FIELDS)
        .filter((field) => field.tab === tab)
        .map(({ label }) => label)
      expect(inTab.filter((label) => labels.includes(label))).toEqual(labels)
    }
  })

  it('greet the finder unless the owner writes something else', () => {
    expect(DEFAULT_PUBLIC_MESSAGE).toBe(
      'This key belongs to a wonderful human being. Thank you for scanning! Please call or return this to me.',
    )
    expect(DEFAULT_CLAIM_MESSAGE).toBe(
      'This key belongs to a wonderful human being. Thank you for scanning!',
    )
  })

  it('are stored trimmed, empty ones as null, unsent and unknown ones not at all', () => {
    const sent = { owner_name: ' Asha ', email: '', city_area: null, is_active: true, id: 'x' }
    expect(cleanQrFields(sent)).toEqual({ owner_name: 'Asha', email: null, city_area: null })
  })

  it('store a blood group that was taken back as null', () => {
    expect(cleanQrFields({ blood_group: 'not_specified' })).toEqual({ blood_group: null })
    expect(cleanQrFields({ blood_group: 'O+' })).toEqual({ blood_group: 'O+' })
  })

  it.each([
    ['mh 12 qx-4827', 'MH12QX4827'],
    ['22 BH 1234 aa', '22BH1234AA'],
    ['dl.2c–ab 1234', 'DL2CAB1234'],
  ])('store the registration %j as %s', (typed, stored) => {
    expect(normalizeRegistration(typed)).toBe(stored)
    expect(cleanQrFields({ vehicle_registration: typed })).toEqual({ vehicle_registration: stored })
  })

  it('store a registration of nothing but dashes as none', () => {
    expect(cleanQrFields({ vehicle_registration: ' - ' })).toEqual({ vehicle_registration: null })
  })
})

describe('the problems of a code', () => {
  it('is nothing when name and number are there', () => {
    expect(qrFieldsProblem(required)).toBeUndefined()
  })

  it('is the name first and the number second', () => {
    expect(textOf(qrFieldsProblem({}))).toBe('Please enter the full name')
    expect(textOf(qrFieldsProblem({ owner_name: null }))).toBe('Please enter the full name')
    expect(textOf(qrFieldsProblem({ owner_name: 'Asha', blood_group: 'C' }))).toBe(
      'Enter the mobile number finders should call',
    )
  })

  it.each<[QrField, string, string]>([
    ['contact_phone', '12345', 'Please enter a valid mobile number'],
    ['contact_phone', 'javascript:alert(1)', 'Please enter a valid mobile number'],
    ['email', 'ramesh', 'Please enter a valid email address'],
    ['emergency_contact_phone', 'none', 'Please enter a valid emergency contact phone'],
    ['blood_group', 'C+', 'Please select a blood group from the list'],
    ['blood_group', 'o+', 'Please select a blood group from the list'],
    ['insurance_expiry_date', '2025-02-29', 'Please enter a valid insurance expiry date'],
    ['insurance_expiry_date', '31/03/2025', 'Please enter a valid insurance expiry date'],
    ['insurance_expiry_date', '0027-03-31', 'Please enter a valid insurance expiry date'],
    ['insurance_expiry_date', '2201-01-01', 'Please enter a valid insurance expiry date'],
    ['next_service_due', '2025-13-01', 'Please enter a valid date for the next service'],
    ['next_service_due', '1899-12-31', 'Please enter a valid date for the next service'],
    ['optional_pin', '123', 'PIN must be 4 to 6 digits'],
  ])('is %s when it is %j', (field, value, problem) => {
    expect(textOf(qrFieldsProblem({ ...required, [field]: value }))).toBe(problem)
    expect(textOf(qrFieldProblem(field, value))).toBe(problem)
  })

  it.each<[QrField, string]>([
    ['contact_phone', '+1 415 555 2671'],
    ['email', 'ramesh.k@example.in'],
    ['emergency_contact_phone', '090000 12345'],
    ['insurance_expiry_date', '2024-02-29'],
    ['next_service_due', '2024-09-15'],
    ['next_service_due', '1900-01-01'],
    ['next_service_due', '2200-12-31'],
    ['optional_pin', '0000'],
    ...BLOOD_GROUPS.map((group): [QrField, string] => ['blood_group', group]),
  ])('is not %s when it is %j', (field, value) => {
    expect(qrFieldsProblem({ ...required, [field]: value })).toBeUndefined()
  })

  it.each<[QrField, number]>([
    ['owner_name', 120],
    ['emergency_contact_name', 120],
    ['company_fleet_name', 120],
    ['public_message', 1000],
    ['notes_instructions', 2000],
    ['city_area', 200],
    ['vehicle_registration', 200],
    ['vehicle_make_model', 200],
    ['driving_license_number', 200],
    ['insurance_policy_number', 200],
  ])('is %s when it is longer than %i', (field, max) => {
    expect(qrFieldsProblem({ ...required, [field]: 'x'.repeat(max) })).toBeUndefined()
    expect(textOf(qrFieldsProblem({ ...required, [field]: 'x'.repeat(max + 1) }))).toBe(
      `${QR_FIELDS[field].label} must be at most ${max} characters`,
    )
  })

  it('reports a length before a wrong form', () => {
    expect(textOf(qrFieldProblem('email', 'x'.repeat(201)))).toBe(
      'Email must be at most 200 characters',
    )
  })
})

describe('a PIN', () => {
  it.each(['1234', '12345', '123456'])('may be %s', (pin) =>
    expect(pinProblem(pin)).toBeUndefined(),
  )

  it.each(['', '123', '1234567', '12a4', '12 34', '-1234', '１２３４'])('may not be %j', (pin) =>
    expect(textOf(pinProblem(pin))).toBe('PIN must be 4 to 6 digits'),
  )

  it('locks for 15 minutes after five wrong tries', () => {
    expect([SECRET_MAX_TRIES, SECRET_LOCK_MINUTES]).toEqual([5, 15])
  })
})

describe('an edit', () => {
  const stored = {
    ...required,
    id: 'internal',
    email: 'r@example.in',
    city_area: null,
    vehicle_registration: 'MH12QX4827',
    blood_group: 'O+',
    public_message: 'one\ntwo',
  }

  it('sends name and number alone when nothing was changed', () => {
    const form = {
      ...required,
      email: ' r@example.in ',
      city_area: '',
      vehicle_registration: 'MH 12 QX 4827',
      blood_group: 'O+',
      public_message: 'one\r\ntwo',
      optional_pin: '',
      notes_instructions: '  ',
    }
    expect(changedFields(stored, form)).toEqual(required)
  })

  it('sends what was changed, and null for what was emptied', () => {
    const form = {
      ...required,
      owner_name: ' Asha ',
      email: ' ',
      city_area: 'Pune',
      blood_group: 'not_specified',
      optional_pin: '1234',
    }
    expect(changedFields(stored, form)).toEqual({
      owner_name: 'Asha',
      contact_phone: '+91 98765 43210',
      email: null,
      city_area: 'Pune',
      blood_group: null,
      optional_pin: '1234',
    })
  })
})

describe('a quantity', () => {
  it.each([1, 10, 50])('may be %i of 50', (value) => {
    expect(() => assertQuantity(value, 50)).not.toThrow()
  })

  it.each([0, -1, 51, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '10', true, null, undefined, [5]])(
    'may not be %j of 50',
    (value) => {
      const refusal = { kind: 'invalid', message: 'Quantity must be between 1 and 50' }
      expect(() => assertQuantity(value, 50)).toThrow(expect.objectContaining(refusal))
    },
  )

  it('is at most what is left', () => {
    expect(() => assertQuantity(8, 7)).toThrow('Quantity must be between 1 and 7')
  })
})
