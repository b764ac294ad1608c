import { createApiKey, requireScope } from '../../domain/api-keys.ts'
import { createCheckoutSession, validateCheckoutSession } from '../../domain/checkout-sessions.ts'
import type { Customer } from '../../domain/customers.ts'
import { catchDomainError, type DomainError } from '../../domain/domain-error.ts'
import { createIdempotencyKey, getReplayResponse } from '../../domain/idempotency.ts'
import { requireOpen } from '../../domain/sessions.ts'
import { createTestClock, requireClockTime } from '../../domain/test-clocks.ts'
import { missingKeyError } from '../core/auth.ts'
import { missingObjectError } from '../core/retrieve.ts'
import { checkoutSessions } from '../operations/checkout-sessions.ts'
import {
  EXAMPLE_CHECKOUT,
  EXAMPLE_CLOCK,
  EXAMPLE_IDS,
  EXAMPLE_KEY,
  EXAMPLE_NOW,
} from '../operations/example-requests.ts'
import { createErrorResponse, internalError } from '../schema/errors.ts'
import {
  bodyTooLargeError,
  databaseUnavailableError,
  rateLimitError,
  unsupportedMediaTypeError,
  urlTooLongError,
} from '../schema/http-errors.ts'
import { checkSchema, combineErrors } from '../schema/validate.ts'
import { EXAMPLE_CONTEXT } from './example-context.ts'

/** Returns the response body of a domain error. */
export function toErrorBody(error: DomainError, apiUrl: string): object {
  return createErrorResponse(error, { requestId: EXAMPLE_IDS.request_logs, apiUrl }).body
}

/** Returns error bodies by example name; the domain rules create them, so that they are never out of date. */
export function exampleErrors(customer: Customer, apiUrl: string): Readonly<Record<string, object>> {
  const session = createCheckoutSession(EXAMPLE_CHECKOUT, customer, EXAMPLE_CONTEXT).after
  const errors: Readonly<Record<string, DomainError>> = {
    several_errors: severalValidationErrors(),
    wrong_state: errorThrownBy(() => requireOpen({ ...session, status: 'complete' }, 'expire', EXAMPLE_NOW)),
    error_401: missingKeyError(),
    error_403: errorThrownBy(() => requireScope(restrictedKey(), 'customers:write')),
    error_404: missingObjectError('customers', EXAMPLE_IDS.customers),
    error_409: advancingClockError(),
    error_413: bodyTooLargeError(),
    error_414: urlTooLongError(9000, 8192),
    error_415: unsupportedMediaTypeError(''),
    error_422: reusedKeyError(),
    error_429: rateLimitError(1),
    error_500: internalError(),
    error_503: databaseUnavailableError(),
  }
  return Object.fromEntries(Object.entries(errors).map(([name, error]) => [name, toErrorBody(error, apiUrl)]))
}

/** Returns the names of the error examples of a status. */
export function errorExampleNames(status: number): readonly string[] {
  if (status === 400) return ['error', 'several_errors', 'wrong_state']
  return [status === 402 ? 'card_error' : `error_${status}`]
}

function errorThrownBy(rule: () => unknown): DomainError {
  const error = catchDomainError(rule)
  if (error === null) throw new Error('the rule of the example throws no error')
  return error
}

function severalValidationErrors(): DomainError {
  const { params } = checkoutSessions.create
  const price_data = { amount: -1, currency: 'usd' }
  const subscription_data = { interval: 'monthly', items: [{ description: 'Monthly rent', price_data }] }
  const { errors, known } = checkSchema({ ...EXAMPLE_CHECKOUT, subscription_data }, params)
  return combineErrors([...errors, ...validateCheckoutSession(known, EXAMPLE_NOW)], params)
}

function restrictedKey() {
  return createApiKey(EXAMPLE_KEY, { secret: '', digest: '' }, EXAMPLE_CONTEXT).key.after
}

function advancingClockError(): DomainError {
  const { after: clock } = createTestClock(EXAMPLE_CLOCK, EXAMPLE_CONTEXT)
  return errorThrownBy(() => requireClockTime({ ...clock, status: 'advancing' }, clock.id))
}

function reusedKeyError(): DomainError {
  const first = { id: 'idem_', fingerprint: 'first', used_at: EXAMPLE_NOW }
  return errorThrownBy(() =>
    getReplayResponse(createIdempotencyKey(first, null), { ...first, fingerprint: 'second' }),
  )
}
