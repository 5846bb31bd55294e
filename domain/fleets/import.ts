import { ANYWAY_FIELDS, type PhoneField } from '#domain/codes/phones.ts'
import { QR_FIELDS, type QrField } from '#domain/codes/qr.ts'
import type { FileRule } from '#domain/papers/file-kind.ts'

/** The most rows of a table that is sent to the server. The command line has no such limit. */
export const IMPORT_MAX_ROWS = 1000
/** With those in which nothing stands, of which spreadsheets leave some behind. A megabyte of them takes a minute. */
export const IMPORT_MAX_LINES = 10 * IMPORT_MAX_ROWS

const MEGABYTE = 1024 * 1024

/** A table is told by its content, so it is of no kind. */
export const TABLE_FILES: FileRule = {
  kinds: [],
  maxBytes: MEGABYTE,
  tooLarge: { code: 'too_large.table', values: { mb: 1 } },
  wrongKind: 'invalid.csv_encoding',
  accept: '.csv,text/csv',
}

/** The choices for rows whose vehicle has a code already. */
export const ON_DUPLICATE = ['error', 'skip', 'update'] as const
export type OnDuplicate = (typeof ON_DUPLICATE)[number]

export const IMPORT_TEXTS = {
  unknown: 'There is no such column. The template has all of them.',
  missing: 'The column is missing',
  twice: 'The column is there twice',
  nameless: 'The column has no name',
  formula: 'Formulas cannot be imported. Save the table with values.',
  shortened: 'A spreadsheet has shortened this number. The column must be text.',
  day: 'Please enter a date like 31-03-2027 or 2027-03-31',
  bloodGroup: 'Please enter A+, A-, B+, B-, AB+, AB-, O+ or O-',
  there: 'This vehicle already has a QR code',
  held: 'This QR code was claimed and cannot be changed',
  anyway: (field: PhoneField) => `(or write yes under ${field}_anyway)`,
} as const

/** The columns of yes or no. */
export const FLAGS = ['show_vehicle', 'show_city', ...ANYWAY_FIELDS] as const

/** The columns of the template, in its order. */
export const IMPORT_COLUMNS = [
  ...(Object.keys(QR_FIELDS) as QrField[]),
  'contact_mode',
  'thing',
  ...FLAGS,
] as const
export type ImportColumn = (typeof IMPORT_COLUMNS)[number]

/** Further columns of the export, which an import leaves out. */
export const OF_EXPORT = [
  'qr_id',
  'qr_type',
  'lost_since',
  'is_active',
  'is_claimed',
  'is_child_registered',
  'account_name',
  'account_email',
  'account_mobile',
  'updated_at',
  'created_at',
]

/** Without these no row can be imported. */
export const REQUIRED_COLUMNS: readonly ImportColumn[] = ['owner_name', 'contact_phone']

/** The one row of the template. */
export const EXAMPLE: Partial<Record<ImportColumn, string>> = {
  owner_name: 'Asha Patil',
  contact_phone: '98765 43210',
  email: 'asha@example.in',
  city_area: 'Pune',
  vehicle_registration: 'MH 12 QX 4827',
  vehicle_make_model: 'Maruti Ertiga',
  insurance_expiry_date: '2027-03-31',
  emergency_contact_name: 'Control room',
  emergency_contact_phone: '90000 12345',
  blood_group: 'O+',
  company_fleet_name: 'NeelRath Pune',
  contact_mode: 'public',
  thing: 'keys',
  show_vehicle: 'true',
  show_city: 'true',
}

/** Returns the choice that was sent; undefined for an unknown one. */
export function readOnDuplicate(value: string | undefined): OnDuplicate | undefined {
  return ON_DUPLICATE.find((each) => each === value)
}
