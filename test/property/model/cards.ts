/** The decision of an issuer, as in the table of test cards. */
export type ModelDecision =
  | 'ok'
  | 'in turn'
  | 'slowly'
  | ModelDecline
  | { readonly asks: 'ok' | ModelDecline }

/** A decline: its error code and decline code, if any. */
export interface ModelDecline {
  readonly code: string
  readonly decline: string | null
}

interface ModelCard {
  readonly on: ModelDecision
  /** The decision when the card is only saved. */
  readonly saving: ModelDecision
  /** The decisions on the attempts of an invoice in order; the last decision applies to all later attempts. */
  readonly off: readonly ModelDecision[]
  readonly refund: 'settled' | 'settled later' | 'settled days later' | 'failed later'
  /** The dispute of each payment with the card. */
  readonly disputes: 'charge' | 'inquiry' | null
  /** The decision on the capture of a reserved amount. */
  readonly capture: 'ok' | ModelDecline
  /** The outcome of each debit of a bank account, and the days until then; null for a card. */
  readonly debit: { readonly days: number; readonly outcome: 'ok' | ModelDecline } | null
}

const withCode = (code: string): ModelDecline => ({ code, decline: null })
const declined = (decline: string): ModelDecline => ({ code: 'card_declined', decline })
const challenge = (then: 'ok' | ModelDecline) => ({ asks: then })

const SOFT = declined('generic_decline')
const NO_FUNDS = declined('insufficient_funds')
const AUTHENTICATION_REQUIRED = withCode('authentication_required')

function card(
  on: ModelDecision,
  off: ModelDecision | readonly ModelDecision[],
  more: Partial<ModelCard> = {},
): ModelCard {
  return {
    on,
    saving: on,
    off: Array.isArray(off) ? off : [off as ModelDecision],
    refund: 'settled',
    disputes: null,
    capture: 'ok',
    debit: null,
    ...more,
  }
}

/** A bank account. Its refunds take as long as its debits. */
function account(outcome: 'ok' | ModelDecline, more: Partial<ModelCard> = {}): ModelCard {
  return card('ok', 'ok', { debit: { days: 3, outcome }, refund: 'settled days later', ...more })
}

/** The test cards with different behavior, and the test IBANs. */
export const MODEL_CARDS: Readonly<Record<string, ModelCard>> = {
  visa: card('ok', 'ok'),
  amex: card('ok', 'ok'),
  declined: card(SOFT, SOFT),
  stolen_card: card(declined('stolen_card'), declined('stolen_card')),
  expired: card(withCode('expired_card'), withCode('expired_card')),
  decline_after_attach: card(SOFT, SOFT, { saving: 'ok' }),
  sca_setup: card(challenge('ok'), 'ok'),
  sca_always: card(challenge('ok'), AUTHENTICATION_REQUIRED),
  sca_done: card(challenge('ok'), 'ok'),
  sca_no_funds: card(challenge(NO_FUNDS), NO_FUNDS),
  sca_declined: card(challenge(SOFT), SOFT),
  sca_required: card(challenge('ok'), AUTHENTICATION_REQUIRED),
  refund_async: card('ok', 'ok', { refund: 'settled later' }),
  refund_fails: card('ok', 'ok', { refund: 'failed later' }),
  dispute: card('ok', 'ok', { disputes: 'charge' }),
  dispute_inquiry: card('ok', 'ok', { disputes: 'inquiry' }),
  renewal_no_funds: card('ok', NO_FUNDS),
  renewal_flaky: card('ok', [SOFT, 'ok']),
  renewal_last_chance: card('ok', [SOFT, SOFT, SOFT, 'ok']),
  renewal_lost: card('ok', declined('lost_card')),
  renewal_sca: card('ok', AUTHENTICATION_REQUIRED),
  every_other: card('in turn', 'in turn', { saving: 'ok' }),
  slow: card('slowly', 'ok', { saving: 'ok' }),
  capture_fails: card('ok', 'ok', { capture: SOFT }),
  sepa_debit: account('ok'),
  sepa_debit_fails: account({ code: 'insufficient_funds', decline: 'insufficient_funds' }),
  sepa_debit_disputed: account('ok', { disputes: 'charge' }),
  sepa_debit_slow: account('ok', { debit: { days: 7, outcome: 'ok' } }),
}

/** The decline of every second charge of the alternating card. */
export const EVERY_SECOND = SOFT

/** The decline of an expired card. */
export const EXPIRED = withCode('expired_card')

/** The error of an attempt without a card. */
export const NO_CARD = withCode('payment_method_missing')

/** The error stored while 3-D Secure is pending. */
export const PENDING_AUTHENTICATION = AUTHENTICATION_REQUIRED

/** The error of a charge whose issuer never decides. */
export const PROCESSING_ERROR = withCode('processing_error')

/** The error of a rejected 3-D Secure authentication. */
export const REJECTED = withCode('authentication_failed')

const HARD = [
  ...['lost_card', 'stolen_card', 'pickup_card', 'expired_card', 'incorrect_number', 'fraudulent'],
  ...['do_not_retry', 'authentication_required'],
]

/** Returns whether a decline forbids automatic retries with the same card. */
export function isHard({ code, decline }: ModelDecline): boolean {
  return HARD.includes(decline ?? code)
}

/** Returns whether an alias names a bank account. */
export function isAccount(alias: string): boolean {
  return findModelCard(alias).debit !== null
}

/** Returns a card by its alias. */
export function findModelCard(alias: string): ModelCard {
  const found = MODEL_CARDS[alias]
  if (found === undefined) throw new Error(`the model has no card ${alias}`)
  return found
}

const SECONDS_PER_DAY = 86_400

/** The billing interval and its anchor. */
export interface ModelSchedule {
  readonly anchor: number
  readonly interval: 'day' | 'week' | 'month' | 'year'
  readonly count: number
}

/** Returns the start of period k: whole days, or the anchor's day in a later month, or the last day of that month. */
export function startOf({ anchor, interval, count }: ModelSchedule, k: number): number {
  if (interval === 'day') return anchor + k * count * SECONDS_PER_DAY
  if (interval === 'week') return anchor + k * count * 7 * SECONDS_PER_DAY
  const from = new Date(anchor * 1000)
  const to = new Date(anchor * 1000)
  to.setUTCFullYear(
    from.getUTCFullYear(),
    from.getUTCMonth() + k * count * (interval === 'year' ? 12 : 1),
    from.getUTCDate(),
  )
  // If the month has no such day, the date is in the next month.
  while (to.getUTCDate() !== from.getUTCDate() && to.getUTCDate() < 4) to.setUTCDate(0)
  return to.getTime() / 1000
}

/** Returns the index of the period that contains `now`; -1 before the first period. */
export function periodAt(rhythm: ModelSchedule, now: number): number {
  let k = -1
  while (startOf(rhythm, k + 1) <= now) k += 1
  return k
}

/** Returns the first second after the expiry of an entered card: December of the year after `now`. */
export function enteredExpiry(now: number): number {
  return Date.UTC(new Date(now * 1000).getUTCFullYear() + 2, 0, 1) / 1000
}

/** Returns the first second after the expiry of a card that is named by its alias: December in fifty years. */
export function namedExpiry(now: number): number {
  return Date.UTC(new Date(now * 1000).getUTCFullYear() + 51, 0, 1) / 1000
}

/** Returns the tax on an amount, with the rate in parts per million, rounded half up. */
export function taxOn(amount: number, ppm: number): number {
  return Number((BigInt(amount) * BigInt(ppm) * 2n + 1_000_000n) / 2_000_000n)
}
