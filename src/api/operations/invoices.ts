import type { Owing } from '../../domain/billing.ts'
import type { Decision, RuleContext } from '../../domain/changes.ts'
import { finalizeByHand, payByHand, voidByHand, writeOffByHand } from '../../domain/invoice-handling.ts'
import type { Invoice } from '../../domain/invoices.ts'
import { loadOwing } from '../../engine/load-billing.ts'
import { onClockOf } from '../../engine/time-source.ts'
import { listOperation } from '../core/lists.ts'
import { type Mutating, operation } from '../core/operation.ts'
import { byId, requireById, retrieveOperation } from '../core/retrieving.ts'
import { invoice } from '../resources/invoices.ts'
import { choice, flag, id, shape } from '../schema/schema.ts'
import { cardOfCustomer } from './customer-cards.ts'
import { EXAMPLE_IDS } from './example-requests.ts'

/** What is owed for one period of a subscription. */
export const invoices = {
  list: listOperation({
    collection: 'invoices',
    path: '/v1/invoices',
    summary: 'Lists invoices, newest first.',
    filters: {
      customer: id('Only invoices of this customer.'),
      subscription: id('Only invoices of this subscription.'),
      status: choice(['draft', 'open', 'paid', 'void', 'uncollectible'], 'Only invoices in this state.'),
    },
    ranges: ['created', 'due_date'],
  }),
  retrieve: retrieveOperation('invoices', 'Retrieves an invoice.'),

  finalize: handling('finalize', 'Opens a draft invoice under the next number.', finalizeByHand),

  pay: operation({
    method: 'POST',
    path: '/v1/invoices/:id/pay',
    summary: 'Pays an open or uncollectible invoice now; the automatic schedule stays as it is.',
    params: shape(
      { id: id('The id of the invoice.') },
      {
        payment_method: id("The card to charge; the subscription's or the customer's unless given."),
        paid_out_of_band: flag(
          'The invoice was paid elsewhere: settles it without a payment. The only way to pay for a deleted customer.',
        ),
        off_session: flag('Whether the buyer is absent, so that nobody can authenticate; true unless given.'),
      },
    ),
    answer: invoice,
    example: { payment_method: EXAMPLE_IDS.pm_ },
    mayDecline: true,
    faults: ({ paid_out_of_band, payment_method }) => {
      if (paid_out_of_band !== true || payment_method === undefined) return []
      const message = 'Give payment_method or paid_out_of_band, not both.'
      return [{ code: 'parameters_exclusive', param: 'payment_method', message }]
    },
    load: async (reader, params) => {
      const invoice = await requireById(reader, 'invoices', params.id)
      const given = { param: 'payment_method', id: params.payment_method }
      const card = await cardOfCustomer(reader, invoice.customer, given)
      return { owing: await loadOwing(reader, invoice), card }
    },
    when: ({ owing }) => onClockOf(owing.invoice),
    decide: ({ owing, card }, params, context) => {
      const isOutOfBand = params.paid_out_of_band ?? false
      return payByHand(owing, { card, isOutOfBand, isOffSession: params.off_session ?? true }, context)
    },
  }),

  void: handling('void', 'Takes an invoice back: nothing is owed on it any more.', voidByHand),

  markUncollectible: handling(
    'mark_uncollectible',
    'Writes an open invoice off: it is no longer collected, but may still be paid.',
    writeOffByHand,
  ),
}

type Handling = (owing: Owing, context: RuleContext) => Decision<Invoice>

function handling(
  verb: string,
  summary: string,
  handle: Handling,
): Mutating<{ readonly id: string }, Owing, Invoice> {
  return operation({
    method: 'POST',
    path: `/v1/invoices/:id/${verb}`,
    summary,
    params: byId,
    answer: invoice,
    load: async (reader, params) => loadOwing(reader, await requireById(reader, 'invoices', params.id)),
    when: ({ invoice }) => onClockOf(invoice),
    decide: (owing, _params, context) => handle(owing, context),
  })
}
