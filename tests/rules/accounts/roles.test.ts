import { describe, expect, it } from 'vitest'
import { isAdmin, ROLES, roleLabel } from '#domain/accounts/roles.ts'

describe('a role', () => {
  it.each([
    ['super_admin', 'Super Admin'],
    ['admin', 'Admin'],
    ['moderator', 'Moderator'],
    ['premium', 'Premium User'],
    ['client', 'Client'],
    ['auditor', 'Auditor'],
    ['constructor', 'Constructor'],
    ['', ''],
  ])('%s is shown as %s', (role, label) => expect(roleLabel(role)).toBe(label))

  it('opens the admin area to admins and super admins alone', () => {
    expect(ROLES.filter(isAdmin)).toEqual(['admin', 'super_admin'])
    for (const role of ['', 'Admin', 'administrator', 'blocked']) expect(isAdmin(role)).toBe(false)
  })
})
