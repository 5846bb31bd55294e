import { createRoute, type RouteConfig, z } from '@hono/zod-openapi'
import { problems } from '#routes/_http/schema.ts'

/** The groups of calls, in the order of the documentation. */
export const SUBJECTS = {
  Accounts: 'Registering, signing in and out, and ways back in.',
  'QR codes': 'The codes of an account, their images and labels.',
  'Claims and child users': 'Claiming and registering codes made by others.',
  Transfers: 'Handing a code over to another account.',
  Scans: 'What a finder sees of a code, and the scans that its owner sees.',
  Messages: 'What finders and the users of codes write to each other.',
  Support: 'Tickets of customers (Enterprise), and the answers to them.',
  Alerts: 'What reaches an account, and by which channels.',
  Documents: 'The documents of a code, and those that authorities see.',
  Calendar: 'The address at which calendar programs read what ends.',
  Gallery: 'Viewing documents and sharing them by temporary links (Premium and Enterprise).',
  'Popup images': 'Images that finders see before the contact details.',
  Branding: 'The name, colour and logo of your pages, and an address of your own.',
  Plans: 'Plans, upgrades and promo codes.',
  'API keys': 'Keys with which programs act for an account (Enterprise).',
  Moderation: 'For moderators and admins: what finders and owners reported.',
  Administration: 'For admins and super admins.',
  'This description': 'For documentation viewers and client generators.',
} as const

type Call = Omit<RouteConfig, 'tags' | 'operationId' | 'summary' | 'security'> & {
  subject: keyof typeof SUBJECTS
  /** the name in generated clients: a verb and a noun */
  operationId: string
  summary: string
  /** empty for public calls */
  security: Record<string, string[]>[]
}

/** The path of a call about one thing. */
export const idParams = z.object({ id: z.string() })
/** The path of a call about one code. */
export const codeParams = z.object({ qr_id: z.string() })

/** Declares a call. The refusals that every call can answer are added here. */
export function apiCall<const P extends string, const C extends Call & { path: P }>(call: C) {
  const { subject, ...route } = call
  const responses = { ...refusalsOf(call), ...call.responses }
  // The types cover only the call's own answers: handlers throw the added ones.
  return createRoute<P, C>({ ...route, tags: [subject], responses } as unknown as C)
}

function refusalsOf({ method, security, request }: Call) {
  const isWrite = method !== 'get'
  return {
    // 401 also on public calls, for an invalid API key.
    ...problems(401, 429, 500),
    // A session-only call made with an API key, a plan without API access, a cross-site request.
    ...(security.length > 0 || isWrite ? problems(403) : {}),
    ...(request?.body ? problems(400, 413, 415) : {}),
    // The disk is full.
    ...(isWrite ? problems(503) : {}),
  }
}
