import { catchLogoErrorMessage } from '../../../../src/domain/branding/branding.ts'
import {
  decodeAndSanitizeLogo,
  decodeLogoUrl,
  encodeLogoUrl,
  sanitizeLogo,
} from '../../../../src/domain/branding/logos/logo.ts'
import { assert, suite } from '../../../support/suite.ts'
import { svg } from './hostile-svgs.ts'
import { RED_PNG } from './png-images.ts'

const test = suite('logo')

const SQUARE = svg('<rect width="10"/>')

test('reads data URLs in base64 and percent encoding, with parameters and in upper case', () => {
  const base64 = Buffer.from(SQUARE).toString('base64')
  for (const url of [
    `data:image/svg+xml;base64,${base64}`,
    `data:image/svg+xml;charset=utf-8;base64,${base64}`,
    `DATA:IMAGE/SVG+XML;BASE64,${base64}`,
    `data:image/svg+xml,${encodeURIComponent(SQUARE)}`,
    `data:image/svg+xml;charset=utf-8,${encodeURIComponent(SQUARE)}`,
  ]) {
    const { type, bytes } = decodeAndSanitizeLogo(url)
    assert.is(type, 'svg')
    assert.is(Buffer.from(bytes).toString(), SQUARE)
  }
  assert.is(decodeAndSanitizeLogo(`data:image/png;base64,${RED_PNG.toString('base64')}`).type, 'png')
})

test('decodes the data URLs that it encodes', () => {
  for (const bytes of [RED_PNG, Buffer.from(SQUARE)]) {
    const logo = sanitizeLogo(bytes)
    const decoded = decodeLogoUrl(encodeLogoUrl(logo))
    assert.is(decoded.type, logo.type)
    assert.ok(Buffer.from(decoded.bytes).equals(bytes))
  }
})

test('names the reason for each file that is not a logo', () => {
  for (const [bytes, error] of [
    [Buffer.alloc(0), 'is empty'],
    [Buffer.alloc(32 * 1024 + 1, 32), 'has 32769 bytes, more than 32768'],
    [Buffer.from([0xff, 0xfe, 0x3c, 0]), 'neither a PNG image nor an SVG image in UTF-8'],
    [Buffer.from('GIF89a'), 'is not'],
    [
      Buffer.from(svg(`<style>.a{font-family:${'x'.repeat(9000)}}</style>${'<g class="a"/>'.repeat(9)}`)),
      'more than 32768 characters after its styles are applied',
    ],
  ] as const) {
    assert.match(catchLogoErrorMessage(() => sanitizeLogo(bytes)) ?? '', error)
  }
})

test('returns the reason for each string that is not a data URL of a logo', () => {
  for (const [url, error] of [
    ['https://example.com/logo.svg', 'is not a data URL'],
    ['data:text/html,<p>', 'is not a data URL'],
    ['data:image/gif;base64,R0lGODlh', 'is not a data URL'],
    ['data:image/svg+xml;base64,%%%', 'has invalid base64'],
    ['data:image/svg+xml,%E0%A4%A', 'has an invalid percent encoding'],
    ['data:image/png,', 'is empty'],
  ] as const) {
    assert.match(catchLogoErrorMessage(() => decodeAndSanitizeLogo(url)) ?? '', error)
  }
})

test.run()
