import { catchLogoErrorMessage } from '../../../../src/domain/branding/branding.ts'
import { isPng, sanitizePng } from '../../../../src/domain/branding/logos/png.ts'
import { assert, suite } from '../../../support/suite.ts'
import { PNG_END, png, pngChunk, pngHeader, RED_PIXEL, RED_PNG } from './png-images.ts'

const test = suite('png')

test('keeps a valid image', () => {
  assert.ok(isPng(RED_PNG))
  assert.ok(Buffer.from(sanitizePng(RED_PNG)).equals(RED_PNG))
})

test('removes text, times, color profiles and animations', () => {
  const extra = ['tEXt', 'iTXt', 'eXIf', 'tIME', 'iCCP', 'acTL', 'fdAT'].map((type) =>
    pngChunk(type, Buffer.from('https://evil.test')),
  )
  const image = png(pngHeader(1, 1), ...extra, RED_PIXEL, ...extra, PNG_END)
  assert.ok(Buffer.from(sanitizePng(image)).equals(RED_PNG))
})

for (const [name, image, error] of [
  ['another signature', Buffer.from('GIF89a'), 'its signature is missing'],
  ['no chunks', png(), 'ends too early'],
  ['no end', png(pngHeader(1, 1), RED_PIXEL), 'ends too early'],
  ['a chunk that is cut off', RED_PNG.subarray(0, -14), 'ends too early, in "IDAT"'],
  ['data after the end', Buffer.concat([RED_PNG, Buffer.from('<script>')]), 'followed by 8 other bytes'],
  ['no header', png(RED_PIXEL, PNG_END), 'without a header'],
  ['two headers', png(pngHeader(1, 1), pngHeader(1, 1), RED_PIXEL, PNG_END), 'without a header'],
  [
    'a short header',
    png(pngChunk('IHDR', Buffer.alloc(4)), RED_PIXEL, PNG_END),
    'an invalid IHDR of 4 bytes',
  ],
  [
    'text in its end',
    png(pngHeader(1, 1), RED_PIXEL, pngChunk('IEND', Buffer.from('<b>'))),
    'an invalid IEND',
  ],
  ['no picture', png(pngHeader(1, 1), PNG_END), 'without a picture'],
  ['no width', png(pngHeader(0, 1), RED_PIXEL, PNG_END), '0 × 1 pixels'],
  ['too many pixels', png(pngHeader(1, 60_000), RED_PIXEL, PNG_END), 'use 1 to 2048 pixels per side'],
] as const) {
  test(`rejects an image with ${name}`, () =>
    assert.match(catchLogoErrorMessage(() => sanitizePng(image)) ?? '', error))
}

test.run()
