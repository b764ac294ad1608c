import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { decodeAndSanitizeLogo, encodeLogoUrl, MAX_LOGO_URL_CHARACTERS } from './logos/logo.ts'
import { LogoError } from './logos/logo-error.ts'

const MAX_NAME_CHARACTERS = 100

/** The hint in the error message for a rejected logo. */
export const LOGO_HINT =
  'Use an SVG or PNG image of up to 32 kB; export an SVG as plain shapes, without scripts, links, images and animations.'

const branding = s.object(
  {
    business_name: s.nullable(s.text('The business name in the header; null for the name of the server.')),
    logo: s.nullable(s.text('The sanitized logo as a data URL; null for the logo of the server.')),
    brand_color: s.nullable(
      s.text('The color of buttons and links, such as `#7a3b1d`; null for the color of the server.'),
    ),
  },
  'The brand of the page; null for the brand of the server.',
)

/** The schema of the field `branding` of a session. */
export const brandingField = s.nullable(branding)

/** The parameter that sets the brand of a session's page. */
export const brandingParam = p.shape(
  {},
  {
    business_name: p.text(
      MAX_NAME_CHARACTERS,
      'Business name in the header (default: the name of `paycli serve --business-name`).',
    ),
    logo: {
      type: 'string',
      format: 'logo',
      maxLength: MAX_LOGO_URL_CHARACTERS,
      description:
        'Logo in the header: an SVG or PNG image of up to 32 kB as a data URL (default: the logo of `paycli serve --logo`). Scripts, animations and references to other files are rejected.',
    } as s.Schema<string>,
    brand_color: {
      type: 'string',
      format: 'brand-color',
      description:
        'Color of buttons and links, such as `#7a3b1d` (default: the color of `paycli serve --brand-color`). The colors of button text and links are adjusted to a contrast of at least 4.5.',
    } as s.Schema<string>,
  },
  'Brand of the page. Omitted fields default to the brand of the server.',
)

export type Branding = s.ValueOf<typeof branding>
type BrandingFields = s.ValueOf<typeof brandingParam>

/** The brand that the server was started with. */
export interface ServerBrand {
  readonly name: string | null
  /** The color of buttons and links, such as `#7a3b1d`. */
  readonly color?: string
  /** The sanitized logo as a data URL. */
  readonly logo?: string
}

/** Returns the brand of a new session, with a sanitized logo; null when no field is given. */
export function createBranding(given: BrandingFields | undefined): Branding | null {
  const { business_name = null, logo, brand_color = null } = given ?? {}
  if (business_name === null && logo === undefined && brand_color === null) return null
  return {
    business_name,
    logo: logo === undefined ? null : encodeLogoUrl(decodeAndSanitizeLogo(logo)),
    brand_color: brand_color && normalizeColor(brand_color),
  }
}

/** Returns whether a string is a color such as `#7a3b1d`. */
export function isBrandColor(text: string): boolean {
  return /^#[\da-f]{6}$/i.test(text)
}

/** Returns a color in lower case, so that equal colors are equal strings. */
export function normalizeColor(color: string): string {
  return color.toLowerCase()
}

/**
 * Returns the reason for rejecting a logo, or null for an accepted logo. The reason ends a sentence that starts with
 * the name of the logo.
 */
export function catchLogoErrorMessage(read: () => unknown): string | null {
  try {
    read()
    return null
  } catch (error) {
    if (error instanceof LogoError) return error.message
    throw error
  }
}
