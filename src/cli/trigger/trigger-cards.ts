import { paymentSessions } from '../../api/operations/payment-sessions.ts'
import { payments } from '../../api/operations/payments.ts'
import { ApiError } from '../../client/api-error.ts'
import { isJsonObject } from '../../domain/core/json-object.ts'
import { type TriggerContext, unusableId } from './trigger-context.ts'

/** A saved card and its customer. */
interface SavedCard {
  readonly id: string
  readonly customer: string
}

/** Charges the saved card given by `--id` off session; returns false when none is given. */
export async function chargeGivenCard(context: TriggerContext, isOffSession: boolean): Promise<boolean> {
  const card = await findGivenCard(context)
  if (card === null) return false
  await chargeCard(context, card, isOffSession)
  return true
}

/** Charges a saved card that requires 3-D Secure, and cancels the payment. */
export async function cancelCharge(context: TriggerContext): Promise<unknown> {
  const card = (await findGivenCard(context)) ?? (await saveCard(context))
  const id = await chargeCard(context, card, false)
  return context.client.call(payments.cancel, { id })
}

async function findGivenCard(context: TriggerContext): Promise<SavedCard | null> {
  const card = await context.given<{ readonly id: string; readonly customer: string | null }>(
    'payment_method',
  )
  if (card === null) return null
  const { id, customer } = card
  if (customer === null) throw unusableId(id, 'is detached', 'another: paycli cards list <customer>')
  return { id, customer }
}

async function saveCard(context: TriggerContext): Promise<SavedCard> {
  const { id: customer } = await context.customer()
  const { id } = await context.createPaymentSession({ id: customer }, { save_payment_method: true })
  const done = await context.client.call(paymentSessions.complete, { id, test_card: 'sca_required' })
  if (done.payment_method === null) throw new Error(`completing ${id} saved no card`)
  return { id: done.payment_method, customer }
}

/** Charges a card and returns the id of the payment, also when it was declined. */
async function chargeCard(context: TriggerContext, card: SavedCard, isOffSession: boolean): Promise<string> {
  const params = { amount: 1000, currency: 'eur', customer: card.customer, payment_method: card.id }
  try {
    return (await context.client.call(payments.create, { ...params, off_session: isOffSession })).id
  } catch (error) {
    const payment = error instanceof ApiError && error.status === 402 ? error.error.payment : null
    if (!isJsonObject(payment)) throw error
    return String(payment['id'])
  }
}
