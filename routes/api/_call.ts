import { createRoute, type RouteConfig } from '@hono/zod-openapi'
import { problems } from '#routes/_http/schema.ts'

/** What the calls are about, in the order in which the description shows it. */
export const SUBJECTS = {
  Accounts: 'Registering, signing in and out, and ways back in.',
  'QR codes': 'The codes of an account, their pictures and their labels.',
  'Claims and child users': 'What people do with codes that others have made for them.',
  Scans: 'What a finder sees of a code, and what its owner learns of it.',
  Documents: 'The papers of a code, and the part of them that authorities see.',
  Gallery: 'Documents to look at and to share by links that end (Premium and Enterprise).',
  'Popup images': 'What finders see before the contact details.',
  Plans: 'What an account may do, and how it gets to do more.',
  'API keys': 'The keys by which programs act for an account (Enterprise).',
  Administration: 'For admins and super admins.',
  'This description': 'For viewers and generators.',
} as const

type Call = Omit<RouteConfig, 'tags' | 'operationId' | 'summary' | 'security'> & {
  subject: keyof typeof SUBJECTS
  /** its name in generated clients: a verb and a noun */
  operationId: string
  summary: string
  /** empty for what anybody may call */
  security: Record<string, string[]>[]
}

/** A call as it is described and checked. What every request can be refused for is added here. */
export function apiCall<const P extends string, const C extends Call & { path: P }>(call: C) {
  const { subject, ...route } = call
  const responses = { ...refusalsOf(call), ...call.responses }
  // The types are those of its own answers: what is added here is thrown, by no handler.
  return createRoute<P, C>({ ...route, tags: [subject], responses } as unknown as C)
}

function refusalsOf({ method, security, request }: Call) {
  const isWrite = method !== 'get'
  return {
    // An API key that opens nothing, with a call that anybody may make too; too many calls; a fault.
    ...problems(401, 429, 500),
    // A call that keys may not make, a key whose plan has ended, a request from another site.
    ...(security.length > 0 || isWrite ? problems(403) : {}),
    ...(request?.body ? problems(400, 413, 415) : {}),
    // Nothing can be stored.
    ...(isWrite ? problems(503) : {}),
  }
}
