import { createHmac, randomBytes } from 'node:crypto'
import * as standard from 'standardwebhooks'
import Stripe from 'stripe'
import * as svix from 'svix'
import { createSignatureHeaders, createWebhookSecret } from '../../src/webhooks/sign.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('webhooks/sign')

const NEW = createWebhookSecret(randomBytes)
const OLD = createWebhookSecret(randomBytes)
const OTHER_SECRET = createWebhookSecret(randomBytes)
// The verifiers use the clock of the machine.
const timestamp = Math.floor(Date.now() / 1000)

const BODIES = {
  'ASCII text': { id: 'evt_1', object: 'event' },
  'an emoji': { name: 'Zoë 🧾👩‍👩‍👧' },
  'line separators': { name: 'a\u2028b\u2029c' },
  newlines: { name: 'a\nb\r\nc\td' },
  'a lone surrogate': { name: 'a\ud800b' },
  'one megabyte of text': { name: 'ü'.repeat(500_000) },
}

type Verify = (body: string, headers: Record<string, string>, secret: string) => void

const VERIFIERS: Record<string, Verify> = {
  standardwebhooks: (body, headers, secret) => new standard.Webhook(secret).verify(body, headers),
  svix: (body, headers, secret) => new svix.Webhook(secret).verify(body, headers),
  stripe: (body, headers, secret) => {
    Stripe.webhooks.constructEvent(body, headers['Paycli-Signature'] ?? '', secret)
  },
}

const sign = (body: string | Uint8Array, secrets: readonly string[]) =>
  createSignatureHeaders({ id: 'evt_1', secrets, body, timestamp })

for (const [name, verify] of Object.entries(VERIFIERS)) {
  for (const [kind, contents] of Object.entries(BODIES)) {
    test(`${name} accepts the signature of a body with ${kind}`, () => {
      const body = JSON.stringify(contents)
      verify(body, sign(body, [NEW]), NEW)
    })
  }

  test(`${name} accepts a body that is signed with two secrets when it verifies with either secret`, () => {
    const headers = sign('{"a":1}', [NEW, OLD])
    verify('{"a":1}', headers, NEW)
    verify('{"a":1}', headers, OLD)
  })

  test(`${name} rejects a signature for another secret, body or timestamp`, () => {
    const headers = sign('{"a":1}', [NEW, OLD])
    assert.throws(() => verify('{"a":1}', headers, OTHER_SECRET))
    assert.throws(() => verify('{"a":2}', headers, NEW))
    assert.throws(() => verify('{"a":1}', sign('{"a":1}', [OLD]), NEW))
    const late = createSignatureHeaders({
      id: 'evt_1',
      secrets: [NEW],
      body: '{}',
      timestamp: timestamp - 600,
    })
    assert.throws(() => verify('{}', late, NEW))
  })
}

test('matches the example of the Standard Webhooks specification', () => {
  const headers = createSignatureHeaders({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    body: '{"test": 2432232314}',
    timestamp: 1_614_265_330,
  })
  assert.is(headers['webhook-id'], 'msg_p5jXN8AQM9LWM0D4loKWxJek')
  assert.is(headers['webhook-timestamp'], '1614265330')
  assert.is(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('signs bytes that are not UTF-8 unchanged', () => {
  const body = Buffer.from('{"name":"J\xFCrgen"}', 'latin1')
  const signature = (headers: Record<string, string>) => headers['webhook-signature']
  const standardKey = Buffer.from(NEW.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', standardKey).update(`evt_1.${timestamp}.`).update(body)
  assert.is(signature(sign(body, [NEW])), `v1,${expected.digest('base64')}`)
  assert.is.not(signature(sign(body, [NEW])), signature(sign(body.toString('utf8'), [NEW])))
})

test('lists several signatures newest first in both schemes', () => {
  const headers = sign('{}', [NEW, OLD])
  const [newest, oldest] = [sign('{}', [NEW]), sign('{}', [OLD])]
  assert.is(headers['webhook-signature'], `${newest['webhook-signature']} ${oldest['webhook-signature']}`)
  const oldV1 = oldest['Paycli-Signature']?.split(',')[1]
  assert.is(headers['Paycli-Signature'], `${newest['Paycli-Signature']},${oldV1}`)
  assert.match(newest['Paycli-Signature'] ?? '', new RegExp(`^t=${timestamp},v1=[0-9a-f]{64}$`))
})

test('the headers do not contain the secret', () => {
  const headers = sign('{}', [NEW])
  assert.equal(Object.keys(headers), [
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
    'Paycli-Signature',
  ])
  assert.not(JSON.stringify(headers).includes(NEW.slice(6)))
})

test('throws when no secret is passed', () => {
  assert.throws(() => sign('{}', []), /no secret to sign 'evt_1' with/)
})

test('creates a secret of whsec_ and 24 random bytes in base64 without padding', () => {
  assert.match(NEW, /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.is.not(NEW, OLD)
  assert.is(
    createWebhookSecret((count) => Buffer.alloc(count, 255)),
    `whsec_${'/'.repeat(32)}`,
  )
})

test.run()
