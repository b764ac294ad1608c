import { createHash } from 'node:crypto'
import { ERRORS } from '../../../src/api/schema/errors.ts'
import { renderErrorReference } from '../../../src/pages/reference/error-reference.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('pages/reference/error-reference')

test('has an anchor for every error code', () => {
  const { body } = renderErrorReference()
  for (const code of Object.keys(ERRORS)) assert.match(body, `id="${code}"`)
})

test('the Content-Security-Policy allows only the style of the page', () => {
  const { headers, body } = renderErrorReference()
  const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  assert.ok(headers['Content-Security-Policy']?.startsWith(`default-src 'none'; style-src 'sha256-${hash}'`))
})

test.run()
