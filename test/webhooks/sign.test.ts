import { randomBytes } from 'node:crypto'
import * as standard from 'standardwebhooks'
import Stripe from 'stripe'
import * as svix from 'svix'
import { createWebhookSecret, signatureHeaders } from '../../src/webhooks/sign.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('webhooks/sign')

const NEW = createWebhookSecret(randomBytes)
const OLD = createWebhookSecret(randomBytes)
const STRANGER = createWebhookSecret(randomBytes)
// The verifiers compare with the machine's clock.
const timestamp = Math.floor(Date.now() / 1000)

const BODIES = {
  ascii: { id: 'evt_1', object: 'event' },
  'an emoji': { name: 'Zoë 🧾👩‍👩‍👧' },
  'line separators': { name: 'a\u2028b\u2029c' },
  newlines: { name: 'a\nb\r\nc\td' },
  'a lone surrogate': { name: 'a\ud800b' },
  'a megabyte': { name: 'ü'.repeat(500_000) },
}

type Verify = (body: string, headers: Record<string, string>, secret: string) => void

const VERIFIERS: Record<string, Verify> = {
  standardwebhooks: (body, headers, secret) => new standard.Webhook(secret).verify(body, headers),
  svix: (body, headers, secret) => new svix.Webhook(secret).verify(body, headers),
  stripe: (body, headers, secret) => {
    Stripe.webhooks.constructEvent(body, headers['Paycli-Signature'] ?? '', secret)
  },
}

const sign = (body: string, secrets: readonly string[]) =>
  signatureHeaders({ id: 'evt_1', secrets, body, timestamp })

for (const [name, verify] of Object.entries(VERIFIERS)) {
  for (const [kind, contents] of Object.entries(BODIES)) {
    test(`${name} verifies ${kind}`, () => {
      const body = JSON.stringify(contents)
      verify(body, sign(body, [NEW]), NEW)
    })
  }

  test(`${name} verifies with either of two secrets`, () => {
    const headers = sign('{"a":1}', [NEW, OLD])
    verify('{"a":1}', headers, NEW)
    verify('{"a":1}', headers, OLD)
  })

  test(`${name} refuses another secret, another body and another time`, () => {
    const headers = sign('{"a":1}', [NEW, OLD])
    assert.throws(() => verify('{"a":1}', headers, STRANGER))
    assert.throws(() => verify('{"a":2}', headers, NEW))
    assert.throws(() => verify('{"a":1}', sign('{"a":1}', [OLD]), NEW))
    const late = signatureHeaders({ id: 'evt_1', secrets: [NEW], body: '{}', timestamp: timestamp - 600 })
    assert.throws(() => verify('{}', late, NEW))
  })
}

test('the signature is the one the Standard Webhooks document shows', () => {
  const headers = signatureHeaders({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    body: '{"test": 2432232314}',
    timestamp: 1_614_265_330,
  })
  assert.is(headers['webhook-id'], 'msg_p5jXN8AQM9LWM0D4loKWxJek')
  assert.is(headers['webhook-timestamp'], '1614265330')
  assert.is(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('several signatures stand newest first, apart as each family has it', () => {
  const headers = sign('{}', [NEW, OLD])
  const [newest, oldest] = [sign('{}', [NEW]), sign('{}', [OLD])]
  assert.is(headers['webhook-signature'], `${newest['webhook-signature']} ${oldest['webhook-signature']}`)
  const oldV1 = oldest['Paycli-Signature']?.split(',')[1]
  assert.is(headers['Paycli-Signature'], `${newest['Paycli-Signature']},${oldV1}`)
  assert.match(newest['Paycli-Signature'] ?? '', new RegExp(`^t=${timestamp},v1=[0-9a-f]{64}$`))
})

test('the headers name what they sign and keep the secret', () => {
  const headers = sign('{}', [NEW])
  assert.equal(Object.keys(headers), [
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
    'Paycli-Signature',
  ])
  assert.not(JSON.stringify(headers).includes(NEW.slice(6)))
})

test('nothing is signed without a secret', () => {
  assert.throws(() => sign('{}', []), /no secret to sign 'evt_1' with/)
})

test('a secret is whsec_ and 24 random bytes in base64 without padding', () => {
  assert.match(NEW, /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.is.not(NEW, OLD)
  assert.is(
    createWebhookSecret((count) => Buffer.alloc(count, 255)),
    `whsec_${'/'.repeat(32)}`,
  )
})

test.run()
