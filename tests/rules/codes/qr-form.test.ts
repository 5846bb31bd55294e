import { describe, expect, test } from 'vitest'
import {
  type EditedCode,
  formOf,
  newForm,
  qrFormChanges,
  qrFormProblems,
  typedFields,
} from '#domain/codes/qr-form.ts'
import { dialogHref, FIRST_PLACE, formAction, readPlace } from '#domain/dashboard.ts'

const CODE = {
  qr_id: '7K3MQ9WD4XTP',
  owner_name: 'Ramesh',
  contact_phone: '9876543210',
  vehicle_registration: 'MH12QX4827',
  blood_group: null,
  has_pin: true,
  updated_at: '2026-11-01T09:00:00.000Z',
} as EditedCode
const SAME = { owner_name: 'Ramesh', contact_phone: '9876543210' }

describe('the edit form', () => {
  test('sends the two required fields alone when nothing was changed', () => {
    const form = {
      ...SAME,
      vehicle_registration: 'mh 12 qx 4827',
      blood_group: 'not_specified',
      optional_pin: '',
      form_tab: 'Misc',
    }
    expect(qrFormChanges(formOf(CODE), form)).toEqual(SAME)
    expect(typedFields(formOf(CODE), form)).toEqual({})
  })

  test('keeps a PIN that it never saw, replaces it, and takes it away', () => {
    const change = (form: object) => qrFormChanges(formOf(CODE), { ...SAME, ...form })
    expect(change({ optional_pin: '' })).not.toHaveProperty('optional_pin')
    expect(change({ optional_pin: '4829' })).toHaveProperty('optional_pin', '4829')
    expect(change({ optional_pin: '', remove_pin: 'on' })).toHaveProperty('optional_pin', null)
  })

  test('knows what would be lost by leaving', () => {
    expect(typedFields(formOf(CODE), { ...SAME, owner_name: 'Asha' })).toEqual({
      owner_name: 'Asha',
    })
    expect(typedFields(newForm(), { public_message: '' })).toEqual({ public_message: null })
  })

  test('names problems in the order of the form', () => {
    expect(Object.keys(qrFormProblems({ optional_pin: '1', email: 'x' }, {}))).toEqual([
      'owner_name',
      'contact_phone',
      'email',
      'optional_pin',
    ])
  })
})

describe('addresses of the dashboard', () => {
  test('a dialog and its form keep the place in the list', () => {
    const place = readPlace({ q: ' a&b ', page: '3' })
    expect(place).toEqual({ q: 'a&b', page: 3 })
    expect(dialogHref('edit', place, '7K')).toBe('/dashboard?tab=my-qrs&q=a%26b&page=3&edit=7K')
    expect(formAction('/7K', place)).toBe('/dashboard/qr/7K?q=a%26b&page=3')
    expect(formAction('', FIRST_PLACE)).toBe('/dashboard/qr')
  })

  test('an impossible page number is the first page', () => {
    for (const page of ['0', '-1', '1.5', 'x', '']) expect(readPlace({ page }).page).toBe(1)
  })
})
