import { createHash } from 'node:crypto'

/** Matches the file name of a logo in a path. */
export const LOGO_FILE_PATTERN = /[\da-f]{16}\.(?:svg|png)/

/** Returns the file name of the logo in a data URL: a digest of the contents, so that the file never changes. */
export function getLogoFileName(url: string): string {
  const digest = createHash('sha256').update(url).digest('hex').slice(0, 16)
  return `${digest}.${url.startsWith('data:image/png;') ? 'png' : 'svg'}`
}
