import { createHash } from 'node:crypto'
import { ERRORS } from '../../../src/api/schema/errors.ts'
import { renderErrorReference } from '../../../src/pages/reference/error-reference.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('error-reference')

test('every code has a row its doc_url leads to', () => {
  const { body } = renderErrorReference()
  for (const code of Object.keys(ERRORS)) assert.match(body, `id="${code}"`)
})

test('its own style is the only thing the policy allows', () => {
  const { headers, body } = renderErrorReference()
  const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  assert.ok(headers['Content-Security-Policy']?.startsWith(`default-src 'none'; style-src 'sha256-${hash}'`))
})

test.run()
