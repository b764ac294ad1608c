import { LogoError } from './logo-error.ts'
import { isPng, sanitizePng } from './png.ts'
import { sanitizeSvg } from './svg.ts'

/** A logo of a merchant. */
export interface Logo {
  readonly type: 'svg' | 'png'
  readonly bytes: Uint8Array
}

const MAX_BYTES = 32 * 1024

// A data URL has up to three characters per byte of a base64 or percent-encoded logo.
/** Maximum length of the data URL of a logo in characters. */
export const MAX_LOGO_URL_CHARACTERS = 3 * MAX_BYTES + 100

const DATA_URL = /^data:image\/(?:svg\+xml|png)(?:;(?!base64)[\w-]+=[\w-]+)*(;base64)?,/i

/**
 * Returns the logo in a file, without content that runs code or loads resources. Throws a LogoError with the reason
 * when the file is rejected.
 */
export function sanitizeLogo(bytes: Uint8Array): Logo {
  const type = isPng(bytes) ? 'png' : 'svg'
  requireLength(bytes.length, '')
  const clean = type === 'png' ? sanitizePng(bytes) : new TextEncoder().encode(sanitizeSvg(decodeText(bytes)))
  requireLength(clean.length, ' after its styles are applied')
  return { type, bytes: clean }
}

/** Returns the sanitized logo of a data URL. Throws a LogoError with the reason when the logo is rejected. */
export function decodeAndSanitizeLogo(url: string): Logo {
  const [start, base64] = DATA_URL.exec(url) ?? []
  if (start === undefined)
    throw new LogoError('is not a data URL such as data:image/svg+xml;base64,… or data:image/png;base64,…')
  return sanitizeLogo(base64 === undefined ? decodePercent(url.slice(start.length)) : decodeBase64(url))
}

/** Returns the logo that `encodeLogoUrl` encoded. */
export function decodeLogoUrl(url: string): Logo {
  return { type: url.startsWith('data:image/png;') ? 'png' : 'svg', bytes: decodeBase64(url) }
}

/** Returns a logo as a base64 data URL. */
export function encodeLogoUrl({ type, bytes }: Logo): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return `data:image/${type === 'svg' ? 'svg+xml' : 'png'};base64,${btoa(binary)}`
}

function requireLength(bytes: number, when: string): void {
  if (bytes === 0) throw new LogoError('is empty')
  if (bytes > MAX_BYTES) throw new LogoError(`has ${bytes} bytes${when}, more than ${MAX_BYTES}`)
}

function decodeText(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return decode(() => decoder.decode(bytes), 'is neither a PNG image nor an SVG image in UTF-8')
}

function decodeBase64(url: string): Uint8Array {
  const binary = decode(() => atob(url.slice(url.indexOf(',') + 1)), 'has invalid base64')
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function decodePercent(text: string): Uint8Array {
  const decoded = decode(() => decodeURIComponent(text), 'has an invalid percent encoding')
  return new TextEncoder().encode(decoded)
}

function decode(read: () => string, problem: string): string {
  try {
    return read()
  } catch {
    throw new LogoError(problem)
  }
}
