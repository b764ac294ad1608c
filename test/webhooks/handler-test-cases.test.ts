import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { getEventExample } from '../../src/api/openapi/event-examples.ts'
import { createHandlerTestCases, type HandlerTestCase } from '../../src/webhooks/handler-test-cases.ts'
import { findSignatureProblems } from '../../src/webhooks/verify.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('webhooks/handler-test-cases')

const SECRET = `whsec_${Buffer.alloc(24, 'shop').toString('base64')}`
const NOW = Math.floor(Date.now() / 1000)

let ids = 0
const testCases = createHandlerTestCases({
  url: 'http://127.0.0.1:3000/hook',
  secret: SECRET,
  event: getEventExample('invoice.paid'),
  newId: () => {
    ids += 1
    return `evt_${ids}`
  },
  now: NOW,
})

const lower = ({ request }: HandlerTestCase) =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Verifiers, which throw for an invalid delivery. */
const VERIFIERS: Readonly<Record<string, (testCase: HandlerTestCase) => unknown>> = {
  standardwebhooks: (testCase) => new Webhook(SECRET).verify(testCase.request.body, lower(testCase)),
  stripe: (testCase) =>
    Stripe.webhooks.constructEvent(testCase.request.body, lower(testCase)['paycli-signature'] ?? '', SECRET),
  paycli: (testCase) => {
    const delivery = { headers: lower(testCase), body: testCase.request.body }
    const problems = findSignatureProblems(delivery, { secret: SECRET, now: NOW, tolerance: 300 })
    if (problems.length > 0) throw new Error(problems.join())
  },
}

for (const testCase of testCases) {
  for (const [name, verify] of Object.entries(VERIFIERS)) {
    const isAccepted = testCase.shouldAccept || (testCase.isWarning && name === 'stripe')
    const verb = isAccepted ? 'accepts' : 'rejects'
    test(`the ${name} verifier ${verb} the test case ${testCase.name}: ${testCase.description}`, () => {
      if (isAccepted) verify(testCase)
      else assert.throws(() => verify(testCase))
    })
  }
}

test('only the duplicate test case repeats an event id', () => {
  const named = testCases.map((testCase) => [testCase.name, JSON.parse(testCase.request.body).id] as const)
  const again = named.filter(([, id], index) => named.findIndex((one) => one[1] === id) !== index)
  assert.equal(
    again.map(([name]) => name),
    ['duplicate'],
  )
})

test('each test case has a description and one sentence of advice', () => {
  assert.is(new Set(testCases.map(({ name }) => name)).size, testCases.length)
  for (const { description, advice } of testCases) {
    assert.ok(description.length > 0)
    assert.match(advice, /^The handler [^.]+: [^.]+\.$/)
  }
})

test.run()
