import type { Authentication } from '../../domain/authentications.ts'
import { validateCard, validateCardholderName } from '../../domain/card-validation.ts'
import type { Decision, RuleContext } from '../../domain/changes.ts'
import { DomainError, type Unvalidated, type ValidationError } from '../../domain/domain-error.ts'
import * as p from '../../domain/params.ts'
import type { Payment } from '../../domain/payments.ts'
import type { ObjectSchema, Schema } from '../../domain/schema.ts'
import {
  completeAuthentication,
  type EnteredCard,
  isCardRequired,
  type SessionRecords,
  type SessionSubmissionResult,
  submitSession,
} from '../../domain/session-submission.ts'
import { requireOpen } from '../../domain/sessions.ts'
import { findCardByAlias, TEST_CARD_VALIDITY_YEARS, TEST_CARDS } from '../../domain/test-cards.ts'
import { effectiveTimeOf } from '../../engine/effective-time.ts'
import { loadSessionRecords } from '../../engine/load-session-records.ts'
import type { Collections } from '../../store/port/collections.ts'
import { defineMutation, type Operation, type ParamsOf } from '../core/operation.ts'
import { requireById } from '../core/retrieve.ts'

const cardField = (description: string): Schema<string | number> => ({
  type: ['string', 'integer'],
  description,
})

const params = p.shape(
  { id: p.id('The id of the session.') },
  {
    card: p.shape(
      {},
      {
        number: cardField('A test card number.'),
        exp_month: cardField('Expiry month, 1 to 12.'),
        exp_year: cardField(
          'Expiry year of two or four digits. Renewals after the expiry month are declined.',
        ),
        cvc: cardField('Security code: 3 digits, or 4 for American Express.'),
        name: p.text(256, 'Name of the cardholder.'),
      },
      'A test card. Give `card` or `test_card`.',
    ),
    test_card: p.choice(
      TEST_CARDS.map((card) => card.alias),
      'Alias of a test card such as `visa`, with a valid CVC and an expiry in 50 years. For another expiry use `card`. With `slow`, the session in the response is still open and completes 3 seconds later.',
    ),
    three_d_secure: p.choice(
      ['approve', 'reject'],
      'Result of 3-D Secure authentication if the card requires it (default: approve).',
    ),
  },
)

type CompleteParams = ParamsOf<{ readonly params: typeof params }>

/** Defines the operation that completes a session without a browser, by the same rules as the hosted page. */
export function defineComplete<C extends 'checkout_sessions' | 'payment_sessions'>(
  collection: C,
  schema: ObjectSchema<Collections[C]>,
  summary: string,
): Operation<CompleteParams, Collections[C]> {
  return defineMutation({
    path: `/v1/test_helpers/${collection}/:id/complete`,
    summary,
    description:
      'A test helper that submits a card without a browser, with the same effects and events as the hosted page. Give `card` or `test_card`. A decline returns 402 and leaves the session open, so that you can try another card.',
    params,
    response: schema,
    example: { test_card: 'visa' },
    mayDecline: true,
    validate: (unvalidated, { now }) => [
      ...validateExclusive(unvalidated),
      // A checkout session may not need a card; `decide` validates the card if it does.
      ...(collection === 'payment_sessions' ? validateCardParams(unvalidated, now) : []),
    ],
    loadTime: async (reader, { id: sessionId }) => {
      const session = sessionId ? await reader.get(collection, sessionId) : null
      return session && effectiveTimeOf(session)
    },
    load: async (reader, { id: sessionId }) =>
      loadSessionRecords(reader, await requireById(reader, collection, sessionId)),
    when: ({ session }) => effectiveTimeOf(session),
    decide: (records, completeParams, context) => {
      const card = toEnteredCard(records, completeParams, context)
      const submitted = withParamNames(completeParams, () => submitSession(records, card, context))
      const decision = authenticateIfRequired(submitted, records, completeParams, context)
      return toSessionDecision<Collections[C]>(decision)
    },
  })
}

function validateExclusive({ card, test_card }: Unvalidated<CompleteParams>): ValidationError[] {
  if (card === undefined || test_card === undefined) return []
  return [{ code: 'parameters_exclusive', param: 'test_card', message: 'Give card or test_card, not both.' }]
}

function validateCardParams(
  { card, test_card }: Unvalidated<CompleteParams>,
  now: number | null,
): ValidationError[] {
  // With two cards, `validateExclusive` reports the error.
  if (!card || test_card !== undefined) return []
  return [...validateCard(card, now), ...validateCardholderName(card.name ?? '')]
    .filter(({ param }) => card[param] !== null)
    .map((error) => ({ ...error, param: `card[${error.param}]` }))
}

// The card rules name the fields of the hosted form; an API caller needs the parameters of the body.
function withParamNames<T>({ card }: CompleteParams, submit: () => T): T {
  try {
    return submit()
  } catch (error) {
    if (!(error instanceof DomainError) || !error.details.errors) throw error
    const errors = error.details.errors.map((fieldError) => ({
      ...fieldError,
      param: card === undefined ? 'test_card' : `card[${fieldError.param}]`,
    }))
    throw new DomainError(error.code, error.message, { param: errors[0]?.param ?? null, errors })
  }
}

function toEnteredCard(
  { session }: SessionRecords,
  { card, test_card }: CompleteParams,
  { now }: RuleContext,
): EnteredCard {
  if (card !== undefined) return card
  const testCard = test_card === undefined ? undefined : findCardByAlias(test_card)
  if (testCard === undefined) return requireNoCard(session, now)
  return {
    number: testCard.number,
    exp_month: 12,
    exp_year: new Date(now * 1000).getUTCFullYear() + TEST_CARD_VALIDITY_YEARS,
    cvc: testCard.cvcLength === 4 ? '1234' : '123',
  }
}

function requireNoCard(session: SessionRecords['session'], now: number): EnteredCard {
  requireOpen(session, 'complete', now)
  if (!isCardRequired(session, now)) return {}
  throw new DomainError(
    'card_number_missing',
    `Cannot complete ${session.object} '${session.id}' without a card. Give test_card, such as 'visa', or a card with its number, expiry and security code.`,
    { param: 'test_card' },
  )
}

// The API caller also approves or rejects for the cardholder in 3-D Secure, in the same transaction.
function authenticateIfRequired(
  submitted: Decision<SessionSubmissionResult>,
  records: SessionRecords,
  { three_d_secure }: CompleteParams,
  context: RuleContext,
): Decision<SessionSubmissionResult> {
  if (!('result' in submitted) || submitted.result.kind !== 'authenticate') return submitted
  const lastCreated = (object: string) =>
    submitted.changes.findLast(({ after }) => after?.object === object)?.after ?? null
  const pending: SessionRecords = {
    ...records,
    authentication: lastCreated('authentication') as Authentication | null,
    pendingPayment: lastCreated('payment') as Payment | null,
  }
  const completed = completeAuthentication(pending, three_d_secure !== 'reject', context)
  return { ...completed, changes: [...submitted.changes, ...completed.changes] }
}

function toSessionDecision<S>(decision: Decision<SessionSubmissionResult>): Decision<S> {
  if (!('result' in decision)) return decision
  if (decision.result.kind === 'authenticate') throw new Error('the session still waits for 3-D Secure')
  // The decision is about the session that was loaded from collection C.
  return { changes: decision.changes, result: decision.result.session as S }
}
