/**
 * Finds the codes of an account by vehicle and by company, for both engines. As every migration it stands by
 * itself; from its release on this file is not edited.
 */

const statements: string[] = [
  `create index qr_codes_by_vehicle on qr_codes (owner_id, vehicle_registration)
    where vehicle_registration is not null`,
  // The issuer of a code that a claimer holds does not see it as one of a company.
  `create index qr_codes_by_company on qr_codes (owner_id, company_fleet_name, created_at, id)
    where company_fleet_name is not null and claimed_at is null`,
]

export const sqlite: readonly string[] = statements
export const postgres: readonly string[] = statements
