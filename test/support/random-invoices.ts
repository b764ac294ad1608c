import { api } from '../../src/api/api.ts'
import { any, cardOf, pickId } from './pick-records.ts'
import type { Sandbox } from './sandbox.ts'

/** One random operation on an invoice. */
export type InvoiceAct =
  | {
      readonly act: 'pay invoice'
      readonly pick: number
      readonly card: number | null
      readonly how: 'off session' | 'on session' | 'out of band'
    }
  | {
      readonly act: 'pay as customer'
      readonly pick: number
      readonly alias: string
      readonly keep: boolean
      readonly isApproved: boolean
    }
  | { readonly act: 'handle invoice'; readonly pick: number; readonly how: Handling }

type Handling = 'finalize' | 'collect' | 'void' | 'markUncollectible'

/** Pays or handles an invoice. */
export async function onInvoice(
  sandbox: Sandbox,
  act: Extract<InvoiceAct, { act: 'pay invoice' | 'handle invoice' }>,
): Promise<void> {
  const isPaying = act.act === 'pay invoice'
  const states = [...(isPaying ? [] : ['draft']), 'open', 'uncollectible']
  const invoice = await any(sandbox, 'invoices', { pick: act.pick, states })
  const id = invoice?.id ?? 'nobody'
  if (act.how === 'collect') await sandbox.call(api.invoices.finalize, { id, auto_advance: true })
  else if (!isPaying) await sandbox.call(api.invoices[act.how], { id })
  else if (act.how === 'out of band') await sandbox.call(api.invoices.pay, { id, paid_out_of_band: true })
  else {
    const card = act.card === null ? null : await cardOf(sandbox, invoice?.customer ?? '', act.card)
    const chosen = card === null ? {} : { payment_method: card }
    await sandbox.call(api.invoices.pay, { id, off_session: act.how === 'off session', ...chosen })
  }
}

/** Pays an invoice as the customer on its page. */
export async function payAsCustomer(
  sandbox: Sandbox,
  { pick, alias, keep, isApproved }: Extract<InvoiceAct, { act: 'pay as customer' }>,
): Promise<void> {
  const invoice = await any(sandbox, 'invoices', { pick, states: ['open', 'uncollectible'] })
  const three_d_secure = isApproved ? 'approve' : 'reject'
  const id = invoice?.id ?? 'nobody'
  await sandbox.call(api.invoices.payAsCustomer, { id, test_card: alias, keep, three_d_secure })
}

/** Answers the 3-D Secure authentication of an invoice. */
export async function answerInvoice(sandbox: Sandbox, pick: number, isApproved: boolean): Promise<void> {
  const query = { where: { status: 'requires_action' }, limit: 100 }
  const waiting = (await sandbox.store.list('payments', query)).data.flatMap(({ invoice }) => invoice ?? [])
  const id = waiting.length > 0 ? pickId(waiting, pick) : (await any(sandbox, 'invoices', { pick }))?.id
  if (id !== undefined) await sandbox.answer(id, isApproved)
}
