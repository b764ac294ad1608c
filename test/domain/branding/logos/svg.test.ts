import { catchLogoErrorMessage } from '../../../../src/domain/branding/branding.ts'
import { sanitizeSvg } from '../../../../src/domain/branding/logos/svg.ts'
import { parseXml, type XmlElement } from '../../../../src/domain/branding/logos/xml.ts'
import { assert, suite } from '../../../support/suite.ts'
import { countWork } from './counted-work.ts'
import { EVIL, HOSTILE_SVGS, svg } from './hostile-svgs.ts'

const test = suite('svg')

const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"'

/** The maximum work: about thirty units for each character of the largest image. */
const MAX_WORK = 1_000_000

function errorOf(image: string): string | null {
  return catchLogoErrorMessage(() => sanitizeSvg(image))
}

function elementsOf(element: XmlElement): XmlElement[] {
  return [
    element,
    ...element.children.flatMap((child) => (typeof child === 'string' ? [] : elementsOf(child))),
  ]
}

test('the table has at least 50 hostile images with different names', () => {
  assert.ok(new Set(HOSTILE_SVGS.map(([name]) => name)).size >= 50)
  assert.is(new Set(HOSTILE_SVGS.map(([name]) => name)).size, HOSTILE_SVGS.length)
})

for (const [name, image, error] of HOSTILE_SVGS) {
  if (error === null) {
    test(`drops the hostile part of an image: ${name}`, () => {
      const clean = sanitizeSvg(image)
      assert.not.match(clean, EVIL)
      for (const { name: element, attributes } of elementsOf(parseXml(clean))) {
        assert.match(element, /^(?:svg|g|rect|text)$/)
        for (const key of attributes.keys()) assert.match(key, /^(?:xmlns|viewBox|fill)$/)
      }
    })
  } else {
    test(`rejects a hostile image with the reason: ${name}`, () => assert.match(errorOf(image) ?? '', error))
  }
}

test('keeps shapes, gradients, references and texts', () => {
  const content =
    '<defs><linearGradient id="a" x1="0" gradientUnits="userSpaceOnUse"><stop offset="0" stop-color="#f00"/></linearGradient><clipPath id="c"><circle cx="5" cy="5" r="5"/></clipPath></defs><g transform="matrix(1 0 0 1 2 3)" clip-path="url(#c)"><path d="M0 0L10,10.5z" fill="url(#a)"/><use href="#b"/></g><text font-family="Arial, &quot;Open Sans&quot;">A &amp; B</text>'
  assert.is(sanitizeSvg(svg(content)), `<svg ${NAMESPACE} viewBox="0 0 10 10">${content}</svg>`)
})

test('accepts declarations, byte order marks, document types and single quotes, as editors write them', () => {
  const start =
    '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- Generator -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n'
  const image = `${start}<svg ${NAMESPACE} version='1.1' viewBox='0 0 1 1' xml:space='preserve'><rect width='1'/></svg>\n`
  assert.is(sanitizeSvg(image), `<svg ${NAMESPACE} viewBox="0 0 1 1"><rect width="1"/></svg>`)
})

test('applies style sheets and style attributes in the order of CSS, and removes both', () => {
  const css =
    '/* a */ .a, .b { fill: red; stroke-width: 2px } #x{fill:blue !important} rect{fill:green;opacity:.5} *{opacity:1}'
  const shapes =
    '<rect class="b" fill="black"/><rect id="x" class="a"/><rect style="fill: url(#g); background: red"/>'
  assert.is(
    sanitizeSvg(svg(`<style type="text/css">${css}</style>${shapes}`)),
    `<svg ${NAMESPACE} viewBox="0 0 10 10" opacity="1"><rect fill="red" opacity=".5" stroke-width="2px"/><rect id="x" opacity=".5" fill="blue" stroke-width="2px"/><rect opacity=".5" fill="url(#g)"/></svg>`,
  )
})

test('rejects unsupported CSS selectors', () => {
  for (const selector of ['g rect', 'a:hover', 'g>a', '[id]', ''])
    assert.match(errorOf(svg(`<style>${selector}{fill:red}</style>`)) ?? '', 'the unsupported CSS selector')
})

test('adds a view box when only the size is given', () => {
  assert.match(sanitizeSvg(`<svg ${NAMESPACE} width="20px" height="10"/>`), 'viewBox="0 0 20 10"')
  assert.not.match(sanitizeSvg(`<svg ${NAMESPACE} width="100%" height="10"/>`), 'viewBox')
})

test('changes nothing when it sanitizes its own output', () => {
  for (const [name, image, error] of HOSTILE_SVGS) {
    if (error !== null) continue
    const clean = sanitizeSvg(image)
    assert.is(sanitizeSvg(clean), clean, name)
  }
})

test('sanitizes an image in linear time', () => {
  const wraps = [
    (text: string) => text,
    svg,
    (text: string) => svg(`<style>${text}</style>`),
    (text: string) => svg(`<rect style="fill:${text}"/>`),
    (text: string) => svg(`<rect style="x:url(${text}"/>`),
    (text: string) => svg(`<rect fill="${text}!" style="${text}"/>`),
  ]
  for (const part of '<g>|</g>|&|<!--|<g a="|{|}|/*|/*a|a{}|url(|<?xml |"| |a|#a |!'.split('|'))
    for (const wrap of wraps) {
      const work = [8000, 32_000].map((length) =>
        countWork(() => errorOf(wrap(part.repeat(Math.floor(length / part.length))))),
      ) as [number, number]
      assert.ok(work[1] < 5 * work[0] && work[1] < MAX_WORK, `${part} costs ${work}`)
    }
})

for (const [name, image] of [
  [
    'selectors × declarations × elements',
    svg(`<style>${'*,'.repeat(1999)}*{${'mask:;'.repeat(1000)}}</style>${'<g/>'.repeat(3000)}`),
  ],
  ['a long value × elements', svg(`<style>*{fill:${'a'.repeat(15_000)}}</style>${'<g/>'.repeat(4000)}`)],
  ['many calls × elements', svg(`<style>*{fill:${'rgb(1)'.repeat(2500)}}</style>${'<g/>'.repeat(4000)}`)],
  [
    'classes × rules',
    svg(
      `<style>${Array.from({ length: 1500 }, (_, n) => `.c${n}{fill:a}`).join('')}</style><g class="${Array.from({ length: 1500 }, (_, n) => `c${n}`).join(' ')}"/>`,
    ),
  ],
] as const) {
  test(`limits the work for the hostile image ${name}`, () => {
    const work = countWork(() => errorOf(image))
    assert.ok(work < MAX_WORK, String(work))
  })
}

test('rejects inherited masks, which multiply the rendering work without a reference', () => {
  const image = (value: string) => svg(`<mask id="m"><g mask="url(#m2)"><rect ${value}/></g></mask>`)
  assert.match(errorOf(image('mask="inherit"')) ?? '', 'inherits a mask')
  assert.match(errorOf(image('style="clip-path: INHERIT"')) ?? '', 'inherits a clip-path')
  assert.match(errorOf(svg('<style>rect{mask:inherit}</style>')) ?? '', 'inherits a mask')
})

test('rejects a reference with a Unicode space that is not a space in CSS', () => {
  for (const space of ['\u00a0', '\ufeff', '\u2028', '\u3000'])
    assert.match(errorOf(svg(`<rect mask="url(${space}#a)"/>`)) ?? '', 'an external resource in mask')
})

test.run()
