import { api } from '../../../src/api/api.ts'
import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { triggerEvent } from '../../../src/cli/trigger/trigger.ts'
import { createRecipe } from '../../../src/cli/trigger/trigger-recipe.ts'
import { createPostStep } from '../../../src/cli/trigger/trigger-steps.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/trigger-recipes')

let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon()
})

test.after(() => daemon?.stop())

function cause(type: string, id?: string) {
  return triggerEvent(daemon.client, type, { id })
}

/** Triggers payment.canceled, and returns the card that it saved. */
async function saveCard(): Promise<string> {
  const { events } = await cause('payment.canceled')
  return events.find(({ type }) => type === 'payment_method.attached')?.object ?? ''
}

test('a recipe uses a test clock only if its steps create a customer or a clock', () => {
  const { accepts, makes } = createRecipe('creates a sandbox', [createPostStep('sandbox', 'sandboxes')])
  assert.equal([accepts, makes], [[], ['sandbox']])
})

test('triggers payment.canceled by canceling the charge of a saved card', async () => {
  const { events } = await cause('payment.canceled')
  assert.equal(
    events.slice(-3).map(({ type }) => type),
    ['payment.created', 'payment.requires_action', 'payment.canceled'],
  )
})

/** Columns: event type, whether the charge that causes the event is off session. */
const CHARGES = [
  ['payment.failed', true],
  ['payment.requires_action', false],
  ['payment.canceled', false],
] as const

for (const [type, isOffSession] of CHARGES) {
  test(`triggers ${type} with a given card by charging it ${isOffSession ? 'off' : 'on'} session`, async () => {
    const card = await saveCard()
    const { event, made } = await cause(type, card)
    const { data } = await daemon.call(api.events.retrieve, { id: event })
    const payment = await daemon.call(api.payments.retrieve, { id: data.object.id })
    assert.equal([payment.origin, payment.payment_method], ['api', card])
    assert.equal([payment.off_session, made], [isOffSession, [payment.id]])
  })

  test(`rejects ${type} with a card that was detached`, async () => {
    const card = await saveCard()
    await daemon.call(api.paymentMethods.detach, { id: card })
    const error = await cause(type, card).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof UsageError, String(error))
    assert.match(error instanceof UsageError ? error.message : '', 'is detached')
  })
}

test.run()
