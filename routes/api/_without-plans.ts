import type { ApiDocument } from '#routes/api/_openapi-types.ts'

/** Returns the description of a server without plans, where every account is on Enterprise and none has a role for a plan. */
export function withoutPlans(described: ApiDocument): ApiDocument {
  return JSON.parse(JSON.stringify(described), withoutValues)
}

function withoutValues(key: string, value: unknown): unknown {
  if (key === 'permission_type' && value === 'premium') return 'moderator'
  if (key !== 'enum' || !Array.isArray(value)) return value
  if (value.includes('enterprise')) return ['enterprise']
  return value.filter((each) => each !== 'premium')
}
