import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import { any, cardOf, pickId } from './pick-records.ts'
import { act, optionalPick, type Performers, pick, type ValueOf, weighted } from './random-acts.ts'
import { aliases } from './random-params.ts'

const isApproved = fc.boolean()

/** Generates operations on invoices. */
export const invoiceActs = weighted(
  [
    6,
    act('pay invoice', {
      pick,
      card: optionalPick,
      how: fc.constantFrom('off session', 'on session', 'on session', 'out of band'),
    }),
  ],
  [4, act('pay as customer', { pick, alias: aliases, keep: fc.boolean(), isApproved })],
  [
    3,
    act('handle invoice', {
      pick,
      how: fc.constantFrom('finalize', 'collect', 'collect', 'void', 'markUncollectible'),
    }),
  ],
  [3, act('answer invoice', { pick, isApproved })],
)

/** Runs an operation on an invoice: pays, finalizes, collects or closes it, or completes its 3-D Secure authentication. */
export const PERFORM_INVOICE: Performers<ValueOf<typeof invoiceActs>> = {
  'pay invoice': async (sandbox, { pick, card, how }) => {
    const invoice = await any(sandbox, 'invoices', { pick, states: ['open', 'uncollectible'] })
    const id = invoice?.id ?? 'nobody'
    if (how === 'out of band') return sandbox.call(api.invoices.pay, { id, paid_out_of_band: true })
    const payment_method = card === null ? null : await cardOf(sandbox, invoice?.customer ?? '', card)
    const chosen = payment_method && { payment_method }
    return sandbox.call(api.invoices.pay, { id, off_session: how === 'off session', ...chosen })
  },
  'pay as customer': async (sandbox, { pick, alias, keep, isApproved }) => {
    const invoice = await any(sandbox, 'invoices', { pick, states: ['open', 'uncollectible'] })
    const three_d_secure = isApproved ? 'approve' : 'reject'
    const id = invoice?.id ?? 'nobody'
    return sandbox.call(api.invoices.payAsCustomer, { id, test_card: alias, keep, three_d_secure })
  },
  'handle invoice': async (sandbox, { pick, how }) => {
    const invoice = await any(sandbox, 'invoices', { pick, states: ['draft', 'open', 'uncollectible'] })
    const id = invoice?.id ?? 'nobody'
    if (how === 'collect') return sandbox.call(api.invoices.finalize, { id, auto_advance: true })
    return sandbox.call(api.invoices[how], { id })
  },
  'answer invoice': async (sandbox, { pick, isApproved }) => {
    const query = { where: { status: 'requires_action' }, limit: 100 }
    const waiting = (await sandbox.store.list('payments', query)).data.flatMap(({ invoice }) => invoice ?? [])
    const id = waiting.length > 0 ? pickId(waiting, pick) : (await any(sandbox, 'invoices', { pick }))?.id
    return id === undefined ? null : sandbox.answer(id, isApproved)
  },
}
