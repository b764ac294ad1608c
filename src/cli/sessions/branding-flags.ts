import { brandingParam } from '../../domain/branding/branding.ts'
import { isJsonObject } from '../../domain/core/json-object.ts'
import { string } from '../parse/flag-builders.ts'
import { createParamFlags } from '../parse/flags.ts'
import { readLogoFile } from '../parse/logo-file.ts'
import { type FlagValues, getParamsFromFlags, type Params } from '../parse/params.ts'

/** The parameter that `brandingFlags` replace. */
export const BRANDING_PARAM = 'branding'

/** The flags for the brand of a session's page. */
export const brandingFlags = {
  ...createParamFlags(brandingParam, { omit: ['logo'] }),
  logo: string({
    description:
      'Logo in the header: an SVG or PNG image of up to 32 kB (default: the logo of paycli serve --logo).',
    helpValue: '<file>',
  }),
}

/** Returns the parameter `branding` from the flags, merged with `branding` of a file; empty if no flag sets a field. */
export function getBrandingParams(flags: FlagValues, file: Params): Params {
  const { logo, ...texts } = getParamsFromFlags(brandingParam, flags)
  const given = { ...texts, ...(logo === undefined ? {} : { logo: readLogoFile(logo) }) }
  if (Object.keys(given).length === 0) return {}
  const fromFile = file[BRANDING_PARAM]
  return { [BRANDING_PARAM]: { ...(isJsonObject(fromFile) ? fromFile : {}), ...given } }
}
