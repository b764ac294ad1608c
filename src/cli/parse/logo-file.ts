import { readFileSync } from 'node:fs'
import { catchLogoErrorMessage, LOGO_HINT } from '../../domain/branding/branding.ts'
import { encodeLogoUrl, type Logo, sanitizeLogo } from '../../domain/branding/logos/logo.ts'
import { createFileReadError } from '../errors/file-error.ts'
import { UsageError } from '../errors/usage-error.ts'

/**
 * Reads the SVG or PNG image of `--logo` and returns the sanitized image as a data URL. Throws a UsageError if the file
 * cannot be read or the image is rejected.
 */
export function readLogoFile(path: string): string {
  const bytes = readBytes(path)
  let logo: Logo | undefined
  const problem = catchLogoErrorMessage(() => {
    logo = sanitizeLogo(bytes)
  })
  if (logo !== undefined) return encodeLogoUrl(logo)
  throw new UsageError('flag_invalid', `The logo '${path}' ${problem}.`, { param: 'logo', hint: LOGO_HINT })
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    throw createFileReadError(path, error, { param: 'logo', hint: LOGO_HINT })
  }
}
