import { LogoError } from './logo-error.ts'

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10]
const MAX_PIXELS_PER_SIDE = 2048

// The chunks that affect the image. Texts, times, color profiles and animations are dropped.
const KEPT_CHUNKS: ReadonlySet<string> = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
])

/** The lengths in bytes of the chunk types with a fixed length. */
const LENGTHS: Readonly<Record<string, number>> = { IHDR: 13, IEND: 0, gAMA: 4, cHRM: 32, sRGB: 1 }
const EMPTY_CHUNK_BYTES = 12

/** Returns whether bytes start with the signature of a PNG image. */
export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, index) => bytes[index] === byte)
}

interface PngChunk {
  readonly type: string
  /** The bytes of the whole chunk, including length, type and checksum. */
  readonly bytes: Uint8Array
}

/**
 * Returns a PNG image with only the chunks that affect the image. Throws a LogoError when the image is incomplete,
 * larger than 2048 pixels per side, or followed by other data.
 */
export function sanitizePng(bytes: Uint8Array): Uint8Array {
  if (!isPng(bytes)) throw new LogoError('is not a PNG image: its signature is missing')
  const chunks = readChunks(bytes)
  const types = chunks.map(({ type }) => type)
  if (types[0] !== 'IHDR' || types.lastIndexOf('IHDR') > 0)
    throw new LogoError('is a PNG image without a header')
  if (!types.includes('IDAT')) throw new LogoError('is a PNG image without a picture')
  requireSize(chunks[0] as PngChunk)
  const kept = chunks.filter(({ type }) => KEPT_CHUNKS.has(type)).flatMap((chunk) => [...chunk.bytes])
  return Uint8Array.from([...SIGNATURE, ...kept])
}

function readChunks(bytes: Uint8Array): PngChunk[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks: PngChunk[] = []
  let at = SIGNATURE.length
  while (chunks.at(-1)?.type !== 'IEND') {
    if (at + EMPTY_CHUNK_BYTES > bytes.length) throw new LogoError('is a PNG image that ends too early')
    const length = view.getUint32(at)
    const end = at + EMPTY_CHUNK_BYTES + length
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (end > bytes.length)
      throw new LogoError(`is a PNG image that ends too early, in ${JSON.stringify(type)}`)
    if (length !== (LENGTHS[type] ?? length))
      throw new LogoError(`is a PNG image with an invalid ${type} of ${length} bytes`)
    chunks.push({ type, bytes: bytes.subarray(at, end) })
    at = end
  }
  if (at < bytes.length) throw new LogoError(`is a PNG image followed by ${bytes.length - at} other bytes`)
  return chunks
}

function requireSize({ bytes }: PngChunk): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const [width, height] = [view.getUint32(8), view.getUint32(12)]
  if (Math.min(width, height) >= 1 && Math.max(width, height) <= MAX_PIXELS_PER_SIDE) return
  throw new LogoError(
    `is a PNG image of ${width} × ${height} pixels; use 1 to ${MAX_PIXELS_PER_SIDE} pixels per side`,
  )
}
