import { isCardRequired } from '../../domain/completion/session-offers.ts'
import {
  completeSessionAuthentication,
  type EnteredPaymentMethod,
  type SessionCompletionRecords,
  type SessionSubmissionResult,
  submitSession,
} from '../../domain/completion/session-submission.ts'
import { type Decision, findLastChanged, type RuleContext } from '../../domain/core/changes.ts'
import * as p from '../../domain/core/params.ts'
import type { ObjectSchema } from '../../domain/core/schema.ts'
import type { Authentication } from '../../domain/payments/authentications.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { isCardOffered } from '../../domain/sessions/payment-method-types.ts'
import { type PromotionCode, recordEnteredPromotionCode } from '../../domain/sessions/promotion-codes.ts'
import { formatSessionReference, requireOpenSession } from '../../domain/sessions/sessions.ts'
import type { CompletableSessionCollection } from '../../engine/find-session.ts'
import { loadEnteredPromotionCode } from '../../engine/load-redemption.ts'
import { loadSessionRecords } from '../../engine/load-session-records.ts'
import { getTimeReference } from '../../engine/time-reference.ts'
import type { CollectionRecordTypes } from '../../store/port/collections.ts'
import { defineWriteOperation, type Operation, type ParamsOf } from '../core/operation.ts'
import { createTimeReferenceLoader, requireById } from '../core/retrieve.ts'
import { getResource } from '../resources/catalog.ts'
import {
  createMissingCardError,
  listCardParamErrors,
  listDuplicateCardErrors,
  runWithCardParamErrors,
  testCardOrWalletParams,
  testCardParams,
  toEnteredCard,
} from './test-card-params.ts'

const id = p.id('The id of the session.')
const params = p.shape({ id }, testCardOrWalletParams)
/** The parameters of a checkout session, on whose page the customer may enter a promotion code. */
const checkoutParams = p.shape(
  { id },
  {
    ...testCardOrWalletParams,
    promotion_code: p.code('Promotion code that the customer enters. Requires allow_promotion_codes.'),
  },
)
/** The parameters of a session that accepts only cards. */
const cardParams = p.shape({ id }, testCardParams)

type CompleteParams = ParamsOf<{ readonly params: typeof checkoutParams }>
type CompleteRecords = SessionCompletionRecords & { readonly code: PromotionCode | null }

const PARAMS = { checkout_sessions: checkoutParams, payment_sessions: params, card_sessions: cardParams }

/** Defines the operation that completes a session without a browser, by the same rules as the hosted page. */
export function defineCompleteOperation<C extends CompletableSessionCollection>(
  collection: C,
  schema: ObjectSchema<CollectionRecordTypes[C]>,
): Operation<CompleteParams, CollectionRecordTypes[C]> {
  return defineWriteOperation({
    path: `/v1/test_helpers/${collection}/:id/complete`,
    summary: `Completes an open ${getResource(collection).object.replace('_', ' ')} with a test card.`,
    description:
      'A test helper that submits a card without a browser, with the same effects and events as the hosted page. Give `card` or `test_card`. A decline returns 402 and leaves the session open, so that you can try another card. A trial that needs no card saves a given card. A session with `collection_method: send_invoice` ignores the card.',
    params: PARAMS[collection] as ObjectSchema<CompleteParams>,
    response: schema,
    example: { test_card: 'visa' },
    mayDecline: true,
    validate: (unvalidated, { now }) => [
      ...listDuplicateCardErrors(unvalidated),
      // Some checkout sessions need no card, so `decide` checks whether the card of a checkout session is missing.
      ...(collection === 'checkout_sessions' ? [] : listCardParamErrors(unvalidated, now)),
    ],
    loadTime: createTimeReferenceLoader(collection),
    load: async (reader, { id: sessionId, promotion_code }): Promise<CompleteRecords> => {
      const records = await loadSessionRecords(reader, await requireById(reader, collection, sessionId))
      if (promotion_code === undefined) return { ...records, code: null }
      const { code, redemption } = await loadEnteredPromotionCode(reader, records.session, promotion_code)
      return { ...records, code, redemption }
    },
    when: ({ session }) => getTimeReference(session),
    decide: (records, completeParams, context) => {
      const card = toEnteredCard(completeParams, context) ?? requireNoCard(records.session, context.now)
      const submitted = runWithCardParamErrors(completeParams, () => submitSession(records, card, context))
      const decision = authenticateIfRequired(submitted, records, completeParams, context)
      return toSessionDecision<CollectionRecordTypes[C]>(rememberCode(records, decision))
    },
  })
}

// Stores the promotion code for the next attempt if the session stays open, for example after a decline.
function rememberCode(
  { session, code }: CompleteRecords,
  decision: Decision<SessionSubmissionResult>,
): Decision<SessionSubmissionResult> {
  const isDone = 'result' in decision && decision.result.kind === 'done'
  if (code === null || isDone) return decision
  return { ...decision, changes: [recordEnteredPromotionCode(session.id, code), ...decision.changes] }
}

function requireNoCard(session: SessionCompletionRecords['session'], now: number): EnteredPaymentMethod {
  requireOpenSession(session, 'complete', now)
  if (!isCardRequired(session, now)) return {}
  throw createMissingCardError(`complete ${formatSessionReference(session)}`, isCardOffered(session))
}

// Approves or rejects 3-D Secure for the cardholder in the same transaction.
function authenticateIfRequired(
  submitted: Decision<SessionSubmissionResult>,
  records: SessionCompletionRecords,
  { three_d_secure }: CompleteParams,
  context: RuleContext,
): Decision<SessionSubmissionResult> {
  if (!('result' in submitted) || submitted.result.kind !== 'authenticate') return submitted
  const { changes } = submitted
  const authentication = findLastChanged<Authentication>(changes, 'authentication')
  // If the authentication has no payment, the last changed payment is the canceled payment of an earlier card.
  const pendingPayment = authentication?.payment ? findLastChanged<Payment>(changes, 'payment') : null
  const pending: SessionCompletionRecords = { ...records, authentication, pendingPayment }
  const completed = completeSessionAuthentication(pending, three_d_secure !== 'reject', context)
  return { ...completed, changes: [...changes, ...completed.changes] }
}

function toSessionDecision<S>(decision: Decision<SessionSubmissionResult>): Decision<S> {
  if (!('result' in decision)) return decision
  if (decision.result.kind === 'authenticate') throw new Error('the session still waits for 3-D Secure')
  // The session was loaded from the collection of the operation, so it has type S.
  return { changes: decision.changes, result: decision.result.session as S }
}
