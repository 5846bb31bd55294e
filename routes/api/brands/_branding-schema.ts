import { z } from '@hono/zod-openapi'
import { BRAND_LENGTHS } from '#domain/brands/brand.ts'
import { brandForm } from '#routes/_http/brands/forms.ts'
import { anyText, payload } from '#routes/_http/schema.ts'
import { sessionCalls } from '#routes/api/_call.ts'
import { fileForm } from '#routes/api/_file-form.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'

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
    proven_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'when the proof was last found; it is looked for every 30 days' }),
    ends_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'when the address ends, because its proof is missing' }),
    is_confirmed: z.boolean().openapi({
      description:
        'false after a new password: new links leave the address out until it is proven again',
    }),
    printed: z.int().openapi({ description: 'codes that were downloaded or printed with it' }),
  })
  .openapi('OwnDomain')

const call = sessionCalls('Branding')

export const getBranding = call('getBranding', 'Get your brand', {
  get: '/',
  200: answer('Your brand', brand),
})
export const putBranding = call('setBranding', 'Change your brand', {
  put: '/',
  body: jsonBody(brandForm, {
    brand_name: 'NeelRath Cabs',
    colour: '#0f4c96',
    footer: 'Control room open 24 hours',
    hide_product_name: false,
  }),
  200: answer('Your brand', brand),
})
export const putLogo = call('uploadLogo', 'Upload your logo', {
  put: '/logo',
  body: fileForm('image'),
  200: answer('Your brand', brand),
})
export const deleteLogo = call('deleteLogo', 'Remove your logo', {
  delete: '/logo',
  200: answer('Your brand', brand),
})
export const getDomain = call('getOwnDomain', 'Get your own address', {
  get: '/domain',
  200: answer('Your own address', domain),
  problems: [404],
})
export const postDomain = call('nameOwnDomain', 'Name your own address', {
  post: '/domain',
  body: jsonBody(payload({ domain: anyText('domain').openapi({ maxLength: 260 }) }), {
    domain: 'keys.example.in',
  }),
  200: answer('Your own address, to be proven', domain),
  problems: [409],
})
export const verifyDomain = call(
  'verifyOwnDomain',
  'Look for the proof that the address is yours',
  {
    post: '/domain/verify',
    200: answer('Your own address, proven', domain),
    problems: [400, 404, 409],
  },
)
export const deleteDomain = call('removeOwnDomain', 'Remove your own address', {
  delete: '/domain',
  200: answer(
    'Removed. Codes printed with it do not work any more',
    z.object({ message: z.string() }),
  ),
  problems: [404],
})
