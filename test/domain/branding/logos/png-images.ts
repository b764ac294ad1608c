import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])

/** Returns a chunk of a PNG image with its length and checksum. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Returns the header chunk of an RGB image. */
export function pngHeader(width: number, height: number): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width)
  data.writeUInt32BE(height, 4)
  data.set([8, 2], 8)
  return pngChunk('IHDR', data)
}

/** The data chunk of a PNG image with one red pixel. */
export const RED_PIXEL = pngChunk('IDAT', deflateSync(Buffer.from([0, 255, 0, 0])))

/** The last chunk of a PNG image. */
export const PNG_END = pngChunk('IEND', Buffer.alloc(0))

/** Returns a PNG image with the given chunks. */
export function png(...chunks: readonly Uint8Array[]): Buffer {
  return Buffer.concat([SIGNATURE, ...chunks])
}

/** A valid image of one red pixel. */
export const RED_PNG = png(pngHeader(1, 1), RED_PIXEL, PNG_END)
