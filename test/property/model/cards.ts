/** What an issuer says to a charge, as the table of test cards has it. */
export type Says = 'ok' | 'in turn' | 'slowly' | Declined | { readonly asks: 'ok' | Declined }

/** A decline: the code on the wire, and the issuer's own where there is one. */
export interface Declined {
  readonly code: string
  readonly decline: string | null
}

interface ModelCard {
  readonly on: Says
  /** To the check that only saves the card. */
  readonly saving: Says
  /** To the nth attempt of an invoice, the last one for ever. */
  readonly off: readonly Says[]
  readonly refund: 'settled' | 'settled later' | 'failed later'
}

const own = (code: string): Declined => ({ code, decline: null })
const declined = (decline: string): Declined => ({ code: 'card_declined', decline })
const asks = (then: 'ok' | Declined) => ({ asks: then })

const SOFT = declined('generic_decline')
const BROKE = declined('insufficient_funds')
const PRESENCE = own('authentication_required')

function card(on: Says, off: Says | readonly Says[], more: Partial<ModelCard> = {}): ModelCard {
  return { on, saving: on, off: Array.isArray(off) ? off : [off as Says], refund: 'settled', ...more }
}

/** The cards of the table that can be told apart by what they do. */
export const MODEL_CARDS: Readonly<Record<string, ModelCard>> = {
  visa: card('ok', 'ok'),
  amex: card('ok', 'ok'),
  declined: card(SOFT, SOFT),
  stolen_card: card(declined('stolen_card'), declined('stolen_card')),
  expired: card(own('expired_card'), own('expired_card')),
  decline_after_attach: card(SOFT, SOFT, { saving: 'ok' }),
  sca_setup: card(asks('ok'), 'ok'),
  sca_always: card(asks('ok'), PRESENCE),
  sca_done: card(asks('ok'), 'ok'),
  sca_no_funds: card(asks(BROKE), BROKE),
  sca_declined: card(asks(SOFT), SOFT),
  sca_required: card(asks('ok'), PRESENCE),
  refund_async: card('ok', 'ok', { refund: 'settled later' }),
  refund_fails: card('ok', 'ok', { refund: 'failed later' }),
  renewal_no_funds: card('ok', BROKE),
  renewal_flaky: card('ok', [SOFT, 'ok']),
  renewal_last_chance: card('ok', [SOFT, SOFT, SOFT, 'ok']),
  renewal_lost: card('ok', declined('lost_card')),
  renewal_sca: card('ok', PRESENCE),
  every_other: card('in turn', 'in turn', { saving: 'ok' }),
  slow: card('slowly', 'ok', { saving: 'ok' }),
}

/** What every second charge of the card that alternates comes to. */
export const EVERY_SECOND = SOFT

/** What a card comes to whose last month is over. */
export const EXPIRED = own('expired_card')

/** What an attempt without any card comes to. */
export const NO_CARD = own('payment_method_missing')

/** What is kept of an attempt that waits for its buyer. */
export const ASKED = PRESENCE

/** What a charge comes to whose issuer is never heard. */
export const UNHEARD = own('processing_error')

/** What a buyer's no comes to. */
export const REJECTED = own('authentication_failed')

const HARD = [
  ...['lost_card', 'stolen_card', 'pickup_card', 'expired_card', 'incorrect_number', 'fraudulent'],
  ...['do_not_retry', 'authentication_required'],
]

/** Whether no automatic attempt may follow with the same card. */
export function isHard({ code, decline }: Declined): boolean {
  return HARD.includes(decline ?? code)
}

/** What a card says, by its name in the table. */
export function cardNamed(alias: string): ModelCard {
  const found = MODEL_CARDS[alias]
  if (found === undefined) throw new Error(`the model has no card ${alias}`)
  return found
}

const SECONDS_PER_DAY = 86_400

/** How often a period returns, and from where it is counted. */
export interface Rhythm {
  readonly anchor: number
  readonly interval: 'day' | 'week' | 'month' | 'year'
  readonly count: number
}

/** The start of period k: whole days, or the anchor's day of a later month, the last one where it has no such day. */
export function startOf({ anchor, interval, count }: Rhythm, k: number): number {
  if (interval === 'day') return anchor + k * count * SECONDS_PER_DAY
  if (interval === 'week') return anchor + k * count * 7 * SECONDS_PER_DAY
  const from = new Date(anchor * 1000)
  const to = new Date(anchor * 1000)
  to.setUTCFullYear(
    from.getUTCFullYear(),
    from.getUTCMonth() + k * count * (interval === 'year' ? 12 : 1),
    from.getUTCDate(),
  )
  // Where the month has no such day, the date has run over into the next one.
  while (to.getUTCDate() !== from.getUTCDate() && to.getUTCDate() < 4) to.setUTCDate(0)
  return to.getTime() / 1000
}

/** The period a moment lies in; -1 before the first one. */
export function periodAt(rhythm: Rhythm, now: number): number {
  let k = -1
  while (startOf(rhythm, k + 1) <= now) k += 1
  return k
}

/** The first moment after the last month of a card that was typed in, with December of the year after `now`. */
export function typedExpiry(now: number): number {
  return Date.UTC(new Date(now * 1000).getUTCFullYear() + 2, 0, 1) / 1000
}

/** The same of a card that was only named: it has fifty years to go. */
export function namedExpiry(now: number): number {
  return Date.UTC(new Date(now * 1000).getUTCFullYear() + 51, 0, 1) / 1000
}

/** Tax on top of an amount, in parts per million, rounded half up. */
export function taxOn(amount: number, ppm: number): number {
  return Number((BigInt(amount) * BigInt(ppm) * 2n + 1_000_000n) / 2_000_000n)
}
