import { createHash } from 'node:crypto'
import { ERRORS } from '../../../src/api/schema/errors.ts'
import { renderErrorReference, renderReference } from '../../../src/pages/reference/reference-pages.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('pages/reference/reference-pages')

test('the error reference has an anchor for every error code', () => {
  const { body } = renderErrorReference()
  for (const code of Object.keys(ERRORS)) assert.match(body, `id="${code}"`)
})

test('the Content-Security-Policy of the error reference allows only the style of the page', () => {
  const { headers, body } = renderErrorReference()
  const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  assert.is(
    headers['Content-Security-Policy'],
    `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'sha256-${hash}'`,
  )
})

test('the Content-Security-Policy of the API reference allows scripts and requests of its own origin only', () => {
  const policy = renderReference().headers['Content-Security-Policy'] ?? ''
  const directives = new Map(
    policy.split('; ').map((directive) => directive.split(/ (.*)/s).slice(0, 2) as [string, string]),
  )
  assert.is(directives.get('default-src'), "'none'")
  assert.is(directives.get('script-src'), "'self'")
  assert.is(directives.get('connect-src'), "'self'")
})

test.run()
