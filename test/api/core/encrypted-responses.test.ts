import { decryptResponse, encryptSecretResponse } from '../../../src/api/core/encrypted-responses.ts'
import type { StoredResponse } from '../../../src/domain/requests/idempotency.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/encrypted-responses')

const KEY = '8e03978e-40d5-43dd-bc93-6894a57f9324'
const SECRETS = ['whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQh', 'paysk_test_abcdefgh', 'payrk_test_abcdefgh']

function createResponse(body: object, request = 'req_1'): StoredResponse {
  return { status: 200, body: JSON.stringify(body), is_sealed: false, request }
}

test('encrypts a response that contains a secret, and decrypts it with the same idempotency key', () => {
  for (const secret of SECRETS) {
    const response = createResponse({ id: 'we_1', name: 'Zoë ✓', secret })
    const encrypted = encryptSecretResponse(response, KEY)
    assert.not.match(JSON.stringify(encrypted), secret.slice(-8))
    assert.not.match(JSON.stringify(encrypted), 'we_1')
    assert.equal(decryptResponse(encrypted, KEY), response)
  }
})

test('stores a response without a secret unencrypted', () => {
  const response = createResponse({ id: 'cus_1', description: 'a secret without one' })
  assert.is(encryptSecretResponse(response, KEY), response)
  assert.is(decryptResponse(response, KEY), response)
})

test('cannot decrypt a response with another key, another request id or a changed body', () => {
  const encrypted = encryptSecretResponse(createResponse({ secret: SECRETS[0] }), KEY)
  const changed = Buffer.from(encrypted.body, 'base64')
  changed[0] = (changed[0] ?? 0) ^ 1
  assert.throws(() => decryptResponse(encrypted, `${KEY}x`))
  assert.throws(() => decryptResponse({ ...encrypted, request: 'req_2' }, KEY))
  assert.throws(() => decryptResponse({ ...encrypted, body: changed.toString('base64') }, KEY))
  assert.throws(() => decryptResponse({ ...encrypted, body: '' }, KEY))
})

test('encrypts the same response differently for another request id', () => {
  const bodies = ['req_1', 'req_2'].map(
    (id) => encryptSecretResponse(createResponse({ secret: SECRETS[0] }, id), KEY).body,
  )
  assert.is.not(bodies[0], bodies[1])
})

test.run()
