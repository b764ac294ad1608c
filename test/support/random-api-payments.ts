import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import type { Sandbox } from './sandbox.ts'

/** One random operation on payments of saved cards; a `pick` selects one of the objects that exist by then. */
export type ApiPaymentAct =
  | {
      readonly act: 'charge card'
      readonly pick: number
      /** Null for the default card. */
      readonly card: number | null
      readonly params: { readonly amount: number; readonly currency: string; readonly off_session?: boolean }
    }
  | {
      readonly act: 'end payment'
      readonly pick: number
      readonly how: 'approve' | 'reject' | 'cancel'
    }

const pick = fc.nat({ max: 9 })

const params = fc.record(
  {
    amount: fc.integer({ min: 1, max: 999_999_999_999 }),
    currency: fc.constantFrom('eur', 'jpy', 'kwd'),
    off_session: fc.boolean(),
  },
  { requiredKeys: ['amount', 'currency'] },
)

/** Generates an operation on payments of saved cards. */
export const apiPaymentActs: fc.Arbitrary<ApiPaymentAct> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('charge card' as const), pick, card: fc.option(pick), params }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('end payment' as const),
      pick,
      how: fc.constantFrom('approve' as const, 'reject' as const, 'cancel' as const),
    }),
  },
)

/** Charges a card, or answers or cancels a payment, preferably one that waits for authentication. */
export async function performApiPayment(
  sandbox: Sandbox,
  customers: readonly string[],
  act: ApiPaymentAct,
): Promise<void> {
  if (act.act === 'end payment') return endPayment(sandbox, act)
  const customer = customers[act.pick % customers.length] ?? 'nobody'
  const cards = (await sandbox.store.list('payment_methods', { where: { customer }, limit: 100 })).data
  const card = act.card === null ? undefined : cards[act.card % Math.max(1, cards.length)]
  const chosen = card === undefined ? {} : { payment_method: card.id }
  await sandbox.call(api.payments.create, { customer, ...act.params, ...chosen })
}

async function endPayment(
  sandbox: Sandbox,
  act: Extract<ApiPaymentAct, { readonly act: 'end payment' }>,
): Promise<void> {
  const where = { status: 'requires_action' }
  const waiting = (await sandbox.store.list('payments', { where, limit: 100 })).data
  const known = waiting.length > 0 ? waiting : (await sandbox.store.list('payments', { limit: 100 })).data
  const id = known[act.pick % Math.max(1, known.length)]?.id ?? 'nobody'
  if (act.how === 'cancel') await sandbox.call(api.payments.cancel, { id })
  else await sandbox.call(api.payments.authenticate, { id, three_d_secure: act.how })
}
