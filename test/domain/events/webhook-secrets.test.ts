import {
  getActiveSecrets,
  rollWebhookSecret,
  type WebhookSecret,
} from '../../../src/domain/events/webhook-secrets.ts'
import { START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/events/webhook-secrets')

const first: WebhookSecret = { id: 'we_1', object: 'webhook_secret', secret: 'whsec_1' }

function rolled(
  secret: WebhookSecret,
  next: string,
  { grace, at }: { grace: number; at: number },
): WebhookSecret {
  const { after } = rollWebhookSecret(secret, { secret: next, graceSeconds: grace }, at)
  if (after === null) throw new Error('a rolled secret was deleted')
  return after
}

test('a secret that was never rolled is the only active secret', () => {
  assert.equal(getActiveSecrets(first, START), ['whsec_1'])
})

test('the old secret stays active until its exact expiry and follows the new secret', () => {
  const second = rolled(first, 'whsec_2', { grace: 60, at: START })
  assert.equal(getActiveSecrets(second, START), ['whsec_2', 'whsec_1'])
  assert.equal(getActiveSecrets(second, START + 59), ['whsec_2', 'whsec_1'])
  assert.equal(getActiveSecrets(second, START + 60), ['whsec_2'])
})

test('a roll without a grace period removes the old secret immediately', () => {
  const second = rolled(first, 'whsec_2', { grace: 0, at: START })
  assert.equal(getActiveSecrets(second, START), ['whsec_2'])
  assert.equal(second.previous, [])
})

test('each secret stays active until its own expiry and is then removed', () => {
  const second = rolled(first, 'whsec_2', { grace: 100, at: START })
  const third = rolled(second, 'whsec_3', { grace: 10, at: START + 1 })
  assert.equal(getActiveSecrets(third, START + 2), ['whsec_3', 'whsec_2', 'whsec_1'])
  assert.equal(getActiveSecrets(third, START + 11), ['whsec_3', 'whsec_1'])
  assert.equal(rolled(third, 'whsec_4', { grace: 5, at: START + 200 }).previous, [
    { secret: 'whsec_3', expires_at: START + 205 },
  ])
})

test('an endpoint has at most five active secrets', () => {
  let secret = first
  for (let next = 2; next <= 9; next += 1) secret = rolled(secret, `whsec_${next}`, { grace: 9, at: START })
  assert.equal(getActiveSecrets(secret, START), ['whsec_9', 'whsec_8', 'whsec_7', 'whsec_6', 'whsec_5'])
})

test.run()
