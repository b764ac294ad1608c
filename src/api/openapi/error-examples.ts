import { createApiKey, requireScope } from '../../domain/api-keys.ts'
import type { CheckoutSession } from '../../domain/checkout-sessions.ts'
import { checkoutProblems } from '../../domain/checkout-sessions.ts'
import { type DomainError, refusalBy } from '../../domain/domain-error.ts'
import { formerAnswer, useKey } from '../../domain/idempotency.ts'
import { requireOpen } from '../../domain/sessions.ts'
import { createTestClock, timeOn } from '../../domain/test-clocks.ts'
import { missingKey } from '../core/auth.ts'
import { missing } from '../core/retrieving.ts'
import { checkoutSessions } from '../operations/checkout-sessions.ts'
import {
  EXAMPLE_CHECKOUT,
  EXAMPLE_CLOCK,
  EXAMPLE_IDS,
  EXAMPLE_KEY,
  EXAMPLE_NOW,
} from '../operations/example-requests.ts'
import { internalError, toErrorAnswer } from '../schema/errors.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import { misfitsOf, refusalOfAll } from '../schema/validate.ts'
import { bodyTooLarge, databaseAway, notSentAsJson, tooSoon, urlTooLong } from '../schema/wire-refusals.ts'
import { EXAMPLE_WORLD } from './example-world.ts'

/** What an answer to a refusal looks like. */
export function errorFrom(refusal: DomainError, apiUrl: string): object {
  return toErrorAnswer(refusal, { requestId: EXAMPLE_IDS.req_, apiUrl }).body
}

/** What errors might say, by the name of each example; made by what refuses, so none can be out of date. */
export function exampleErrors(session: CheckoutSession, apiUrl: string): Readonly<Record<string, object>> {
  const refusals: Readonly<Record<string, DomainError>> = {
    several_errors: severalFaults(),
    wrong_state: by(() => requireOpen({ ...session, status: 'complete' }, 'expire', EXAMPLE_NOW)),
    error_401: missingKey(),
    error_403: by(() => requireScope(restrictedKey(), 'customers:write')),
    error_404: missing('customers', EXAMPLE_IDS.cus_),
    error_409: clockOnItsWay(),
    error_413: bodyTooLarge(),
    error_414: urlTooLong(9000, 8192),
    error_415: notSentAsJson(''),
    error_422: keyOfAnotherRequest(),
    error_429: tooSoon(1),
    error_500: internalError(),
    error_503: databaseAway(),
  }
  return Object.fromEntries(
    Object.entries(refusals).map(([name, refusal]) => [name, errorFrom(refusal, apiUrl)]),
  )
}

/** The names of the examples of a status. */
export function errorExamplesOf(status: number): readonly string[] {
  if (status === 400) return ['error', 'several_errors', 'wrong_state']
  return [status === 402 ? 'card_error' : `error_${status}`]
}

function by(rule: () => unknown): DomainError {
  const refusal = refusalBy(rule)
  if (refusal === null) throw new Error('what the example was refused for is allowed')
  return refusal
}

function severalFaults(): DomainError {
  const params = checkoutSessions.create.params as ObjectSchema<never>
  const price_data = { amount: -1, currency: 'usd' }
  const subscription_data = { interval: 'monthly', items: [{ description: 'Monthly rent', price_data }] }
  const { found, sound } = misfitsOf({ ...EXAMPLE_CHECKOUT, subscription_data }, params)
  return refusalOfAll([...found, ...checkoutProblems(sound, EXAMPLE_NOW)], params)
}

function restrictedKey() {
  return createApiKey(EXAMPLE_KEY, { secret: '', digest: '' }, EXAMPLE_WORLD).key.after
}

function clockOnItsWay(): DomainError {
  const { after: clock } = createTestClock(EXAMPLE_CLOCK, EXAMPLE_WORLD)
  return by(() => timeOn({ ...clock, status: 'advancing' }, clock.id))
}

function keyOfAnotherRequest(): DomainError {
  const first = { id: 'idem_', fingerprint: 'first', used_at: EXAMPLE_NOW }
  return by(() => formerAnswer(useKey(first, null), { ...first, fingerprint: 'second' }))
}
