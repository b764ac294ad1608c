import type { Authentication } from '../../domain/authentications.ts'
import { checkCard, checkCardName } from '../../domain/card-checks.ts'
import {
  type Attempt,
  answerChallenge,
  type EnteredCard,
  isCardAsked,
  type Submitted,
  submitEntered,
} from '../../domain/card-submission.ts'
import type { Decision, RuleContext } from '../../domain/changes.ts'
import { DomainError, type Doubtful, type ValidationError } from '../../domain/domain-error.ts'
import type { Payment } from '../../domain/payments.ts'
import { requireOpen } from '../../domain/sessions.ts'
import { findCardByAlias, TEST_CARD_YEARS, TEST_CARDS } from '../../domain/test-cards.ts'
import { loadAttempt } from '../../engine/attempts.ts'
import { onClockOf } from '../../engine/time-source.ts'
import type { Collections } from '../../store/port/collections.ts'
import { type Mutating, operation, type ParamsOf } from '../core/operation.ts'
import { requireById } from '../core/retrieving.ts'
import { objectAnswer } from '../resources/answers.ts'
import { choice, id, type Schema, shape, text } from '../schema/schema.ts'

const cardEntry = (description: string): Schema<string | number> => ({
  type: ['string', 'integer'],
  description,
})

const params = shape(
  { id: id('The id of the session.') },
  {
    card: shape(
      {},
      {
        number: cardEntry('A test card number.'),
        exp_month: cardEntry('1 to 12.'),
        exp_year: cardEntry(
          'Two or four digits; once its clock has passed that month, renewals decline the card.',
        ),
        cvc: cardEntry('3 digits, 4 for American Express.'),
        name: text(256, "The cardholder's name."),
      },
    ),
    test_card: choice(
      TEST_CARDS.map((card) => card.alias),
      'A test card by its alias, such as `visa`, with a valid CVC and 50 years to go; for one that expires sooner, give `card`. With `slow` the answer comes while the payment is still processing: the session is open, and completes 3 seconds later.',
    ),
    three_d_secure: choice(
      ['approve', 'reject'],
      "The buyer's answer if asked to authenticate; approve unless given.",
    ),
  },
)

type CompleteParams = ParamsOf<{ readonly params: typeof params }>

/**
 * The operation that completes a session without a browser. It takes the path of the hosted page, step for step, so
 * the outcome depends on the card alone.
 */
export function completeOperation<C extends 'checkout_sessions' | 'payment_sessions'>(
  collection: C,
  summary: string,
): Mutating<CompleteParams, Attempt, Collections[C]> {
  return operation({
    method: 'POST',
    path: `/v1/test_helpers/${collection}/:id/complete`,
    summary,
    params,
    answer: objectAnswer(collection),
    example: { test_card: 'visa' },
    mayDecline: true,
    faults: (given, { now }) => [
      ...exclusiveFaults(given),
      // Whether a card is asked for at a checkout depends on its session; where none is, what one says is nobody's fault.
      ...(collection === 'payment_sessions' ? cardFaults(given, now) : []),
    ],
    clock: async (reader, { id: session }) => {
      const found = session ? await reader.get(collection, session) : null
      return found && onClockOf(found)
    },
    load: async (reader, given) => loadAttempt(reader, await requireById(reader, collection, given.id)),
    when: ({ session }) => onClockOf(session),
    decide: (attempt, given, context) => {
      const entered = enteredCard(attempt, given, context)
      const submitted = named(given, () => submitEntered(attempt, entered, context))
      return sessionOf<Collections[C]>(answerIfAsked({ attempt, given, submitted }, context))
    },
  })
}

function exclusiveFaults({ card, test_card }: Doubtful<CompleteParams>): ValidationError[] {
  if (card === undefined || test_card === undefined) return []
  return [{ code: 'parameters_exclusive', param: 'test_card', message: 'Give card or test_card, not both.' }]
}

function cardFaults({ card, test_card }: Doubtful<CompleteParams>, now: number | null): ValidationError[] {
  // Of two cards one is not meant.
  if (!card || test_card !== undefined) return []
  return [...checkCard(card, now), ...checkCardName(card.name ?? '')]
    .filter(({ param }) => card[param] !== null)
    .map((problem) => ({ ...problem, param: `card[${problem.param}]` }))
}

// The card's rules know its fields by their names on the form; a caller of the API knows them by their place in the body.
function named<T>(given: CompleteParams, submit: () => T): T {
  try {
    return submit()
  } catch (error) {
    if (!(error instanceof DomainError) || !error.details.errors) throw error
    const place = (param: string | null) => (given.card === undefined ? 'test_card' : `card[${param}]`)
    const errors = error.details.errors.map((problem) => ({ ...problem, param: place(problem.param) }))
    throw new DomainError(error.code, error.message, { param: errors[0]?.param ?? null, errors })
  }
}

function enteredCard(attempt: Attempt, given: CompleteParams, context: RuleContext): EnteredCard {
  if (given.card !== undefined) return given.card
  const known = given.test_card === undefined ? undefined : findCardByAlias(given.test_card)
  if (known === undefined) return missingCard(attempt, context.now)
  return {
    number: known.number,
    exp_month: 12,
    exp_year: new Date(context.now * 1000).getUTCFullYear() + TEST_CARD_YEARS,
    cvc: known.cvcLength === 4 ? '1234' : '123',
  }
}

function missingCard({ session }: Attempt, now: number): EnteredCard {
  requireOpen(session, 'complete', now)
  if (!isCardAsked(session)) return {}
  throw new DomainError(
    'card_number_missing',
    `A card is needed to complete ${session.object} '${session.id}'. Give test_card, such as 'visa', or a card with its number, expiry and security code.`,
    { param: 'test_card' },
  )
}

interface Asked {
  readonly attempt: Attempt
  readonly given: CompleteParams
  readonly submitted: Decision<Submitted>
}

// The API's caller stands in for the buyer on the 3-D Secure page too, in the same transaction.
function answerIfAsked({ attempt, given, submitted }: Asked, context: RuleContext): Decision<Submitted> {
  if (!('result' in submitted) || submitted.result.kind !== 'authenticate') return submitted
  const made = submitted.changes.map((change) => change.after)
  const asked: Attempt = {
    ...attempt,
    waiting: (made.findLast((record) => record?.object === 'authentication') ??
      null) as Authentication | null,
    waitingPayment: (made.findLast((record) => record?.object === 'payment') ?? null) as Payment | null,
  }
  const answered = answerChallenge(asked, given.three_d_secure !== 'reject', context)
  return { ...answered, changes: [...submitted.changes, ...answered.changes] }
}

function sessionOf<S>(decision: Decision<Submitted>): Decision<S> {
  if (!('result' in decision)) return decision
  if (decision.result.kind === 'authenticate') throw new Error('an answered session cannot still wait')
  // What was loaded from a collection is still of it.
  return { changes: decision.changes, result: decision.result.session as S }
}
