import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { exampleAnswers } from '../../src/api/openapi/examples.ts'
import type { Event } from '../../src/domain/events.ts'
import { createBattery, type Trial } from '../../src/webhooks/handler-test-cases.ts'
import { signatureProblems } from '../../src/webhooks/verify.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('webhooks/battery')

const SECRET = `whsec_${Buffer.alloc(24, 'shop').toString('base64')}`
const NOW = Math.floor(Date.now() / 1000)

let ids = 0
const trials = createBattery({
  url: 'http://127.0.0.1:3000/hook',
  secret: SECRET,
  event: exampleAnswers('http://127.0.0.1:4100')['event'] as Event,
  newId: () => {
    ids += 1
    return `evt_${ids}`
  },
  now: NOW,
})

const lower = ({ request }: Trial) =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Whether each verifier takes a delivery. */
const VERIFIERS: Readonly<Record<string, (trial: Trial) => unknown>> = {
  standardwebhooks: (trial) => new Webhook(SECRET).verify(trial.request.body, lower(trial)),
  stripe: (trial) =>
    Stripe.webhooks.constructEvent(trial.request.body, lower(trial)['paycli-signature'] ?? '', SECRET),
  'our own': (trial) => {
    const delivery = { headers: lower(trial), body: trial.request.body }
    const problems = signatureProblems(delivery, { secret: SECRET, now: NOW, tolerance: 300 })
    if (problems.length > 0) throw new Error(problems.join())
  },
}

for (const trial of trials) {
  for (const [name, verify] of Object.entries(VERIFIERS)) {
    const verb = trial.expected === 'taken' ? 'takes' : 'refuses'
    test(`${name} ${verb} ${trial.name}: ${trial.sent}`, () => {
      if (trial.expected === 'taken') verify(trial)
      else assert.throws(() => verify(trial))
    })
  }
}

test('only the duplicate has an id that was there before', () => {
  const named = trials.map((trial) => [trial.name, JSON.parse(trial.request.body).id] as const)
  const again = named.filter(([, id], index) => named.findIndex((one) => one[1] === id) !== index)
  assert.equal(
    again.map(([name]) => name),
    ['duplicate'],
  )
})

test('each trial says in words what is sent and what it means when it fails', () => {
  assert.is(new Set(trials.map(({ name }) => name)).size, trials.length)
  for (const { sent, otherwise } of trials) assert.ok(sent.length > 0 && /\.$/.test(otherwise))
})

test.run()
