import { z } from '@hono/zod-openapi'
import { BRAND_LENGTHS } from '#domain/brands/brand.ts'
import { brandForm } from '#routes/_http/brands/forms.ts'
import { signedIn } from '#routes/_http/guards.ts'
import { answer, jsonBody, notAnObject, problems, sessionSecurity } from '#routes/_http/schema.ts'
import { apiCall } from '#routes/api/_call.ts'
import { fileForm } from '#routes/api/papers/_document-schema.ts'

const brand = z
  .object({
    brand_name: z.string().nullable().openapi({ maxLength: BRAND_LENGTHS.brand_name }),
    colour: z.string().nullable().openapi({ pattern: '^#[0-9a-f]{6}$' }),
    text_colour: z.enum(['#000000', '#ffffff']),
    contrast: z.number().openapi({ description: 'of the text on the colour' }),
    footer: z.string().nullable().openapi({ maxLength: BRAND_LENGTHS.footer }),
    hide_product_name: z.boolean(),
    logo: z.string().nullable().openapi({ description: 'a WebP as a data: URL' }),
  })
  .openapi('Brand')

const domain = z
  .object({
    domain: z.string(),
    txt_name: z.string(),
    file_url: z.string(),
    proof: z.string().openapi({ description: 'what the TXT record or the file says' }),
    asked_at: z.iso.datetime().nullable().openapi({ description: 'when the proof was looked for' }),
    verified_at: z.iso.datetime().nullable(),
    printed: z.int().openapi({ description: 'codes that were downloaded or printed with it' }),
  })
  .openapi('OwnDomain')

const asOwner = { subject: 'Branding', middleware: signedIn, security: sessionSecurity } as const

export const getBranding = apiCall({
  ...asOwner,
  operationId: 'getBranding',
  summary: 'Get your brand',
  method: 'get',
  path: '/',
  responses: { 200: answer('Your brand', brand) },
})
export const putBranding = apiCall({
  ...asOwner,
  operationId: 'setBranding',
  summary: 'Change your brand',
  method: 'put',
  path: '/',
  request: {
    body: jsonBody(brandForm, {
      brand_name: 'NeelRath Cabs',
      colour: '#0f4c96',
      footer: 'Control room open 24 hours',
      hide_product_name: false,
    }),
  },
  responses: { 200: answer('Your brand', brand) },
})
export const putLogo = apiCall({
  ...asOwner,
  operationId: 'uploadLogo',
  summary: 'Upload your logo',
  method: 'put',
  path: '/logo',
  request: { body: fileForm('image') },
  responses: { 200: answer('Your brand', brand) },
})
export const deleteLogo = apiCall({
  ...asOwner,
  operationId: 'deleteLogo',
  summary: 'Remove your logo',
  method: 'delete',
  path: '/logo',
  responses: { 200: answer('Your brand', brand) },
})
export const getDomain = apiCall({
  ...asOwner,
  operationId: 'getOwnDomain',
  summary: 'Get your own address',
  method: 'get',
  path: '/domain',
  responses: { 200: answer('Your own address', domain), ...problems(404) },
})
export const postDomain = apiCall({
  ...asOwner,
  operationId: 'nameOwnDomain',
  summary: 'Name your own address',
  method: 'post',
  path: '/domain',
  request: {
    body: jsonBody(
      z.object(
        { domain: z.string({ error: 'domain must be text' }).openapi({ maxLength: 260 }) },
        notAnObject,
      ),
      {
        domain: 'keys.example.in',
      },
    ),
  },
  responses: { 200: answer('Your own address, to be proven', domain), ...problems(409) },
})
export const verifyDomain = apiCall({
  ...asOwner,
  operationId: 'verifyOwnDomain',
  summary: 'Look for the proof that the address is yours',
  method: 'post',
  path: '/domain/verify',
  responses: { 200: answer('Your own address, proven', domain), ...problems(400, 404, 409) },
})
export const deleteDomain = apiCall({
  ...asOwner,
  operationId: 'removeOwnDomain',
  summary: 'Remove your own address',
  method: 'delete',
  path: '/domain',
  responses: {
    200: answer(
      'Removed. Codes printed with it do not work any more',
      z.object({ message: z.string() }),
    ),
    ...problems(404),
  },
})
