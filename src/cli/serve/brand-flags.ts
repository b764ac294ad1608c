import { isBrandColor, normalizeColor, type ServerBrand } from '../../domain/branding/branding.ts'
import { createInvalidFlagError } from '../errors/usage-error.ts'
import { string } from '../parse/flag-builders.ts'
import { readLogoFile } from '../parse/logo-file.ts'
import { parseBusinessName } from './serve-flags.ts'

/** The flags for the brand of hosted pages. */
export const brandFlags = {
  'business-name': string({
    description: "Business name shown on hosted pages (default: the host of the session's return_url).",
    helpValue: '<name>',
    env: 'PAYCLI_BUSINESS_NAME',
  }),
  logo: string({
    description:
      'Logo on hosted pages: an SVG or PNG image of up to 32 kB (default: the first letter of the name).',
    helpValue: '<file>',
    env: 'PAYCLI_LOGO',
  }),
  'brand-color': string({
    description: 'Color of buttons and links on hosted pages (default: blue).',
    helpValue: '<#rrggbb>',
    env: 'PAYCLI_BRAND_COLOR',
  }),
}

/** Returns the brand that the flags describe. Throws for an invalid name or color, and for a logo that is rejected. */
export function parseBrand(flags: Partial<Record<keyof typeof brandFlags, string | undefined>>): ServerBrand {
  const { logo, 'brand-color': color } = flags
  return {
    name: parseBusinessName(flags['business-name']) ?? null,
    ...(color === undefined ? {} : { color: parseColor(color) }),
    ...(logo === undefined ? {} : { logo: readLogoFile(logo) }),
  }
}

function parseColor(text: string): string {
  if (isBrandColor(text)) return normalizeColor(text)
  throw createInvalidFlagError(
    'brand-color',
    text,
    'a color',
    "Use six hexadecimal digits, such as '#7a3b1d'.",
  )
}
