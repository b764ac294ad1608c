import { openAnswer, sealAnswer } from '../../../src/api/core/sealed-answers.ts'
import type { StoredAnswer } from '../../../src/domain/idempotency.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/sealed-answers')

const KEY = '8e03978e-40d5-43dd-bc93-6894a57f9324'
const SECRETS = ['whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQh', 'paysk_test_abcdefgh', 'payrk_test_abcdefgh']

function answer(body: object, request = 'req_1'): StoredAnswer {
  return { status: 200, body: JSON.stringify(body), is_sealed: false, request }
}

test('an answer that shows a secret cannot be read without the key, and is the same with it', () => {
  for (const secret of SECRETS) {
    const given = answer({ id: 'we_1', name: 'Zoë ✓', secret })
    const sealed = sealAnswer(given, KEY)
    assert.not.match(JSON.stringify(sealed), secret.slice(-8))
    assert.not.match(JSON.stringify(sealed), 'we_1')
    assert.equal(openAnswer(sealed, KEY), given)
  }
})

test('an answer without a secret stays as it is', () => {
  const given = answer({ id: 'cus_1', description: 'a secret without one' })
  assert.is(sealAnswer(given, KEY), given)
  assert.is(openAnswer(given, KEY), given)
})

test('another key, another request and a changed body do not open it', () => {
  const sealed = sealAnswer(answer({ secret: SECRETS[0] }), KEY)
  const changed = Buffer.from(sealed.body, 'base64')
  changed[0] = (changed[0] ?? 0) ^ 1
  assert.throws(() => openAnswer(sealed, `${KEY}x`))
  assert.throws(() => openAnswer({ ...sealed, request: 'req_2' }, KEY))
  assert.throws(() => openAnswer({ ...sealed, body: changed.toString('base64') }, KEY))
  assert.throws(() => openAnswer({ ...sealed, body: '' }, KEY))
})

test('the same answer to two requests is sealed in two ways', () => {
  const bodies = ['req_1', 'req_2'].map((id) => sealAnswer(answer({ secret: SECRETS[0] }, id), KEY).body)
  assert.is.not(bodies[0], bodies[1])
})

test.run()
