import { api } from '../../src/api/api.ts'
import { subscribe } from '../support/billing.ts'
import { newCheckout, newPaymentSession } from '../support/samples.ts'
import { CHECKOUT_URL, createSandbox, DAY, type Sandbox } from '../support/sandbox.ts'
import { HostedPages, pathOf, type ServedPage } from './hosted-pages.ts'

/** The payment method types of a session that offers direct debits. */
export const DEBIT_TYPES = { payment_method_types: ['card', 'sepa_debit'] } as const

/** The pages of a session that offers direct debits, and the path of its page. */
interface DebitPage {
  readonly sandbox: Sandbox
  readonly hosted: HostedPages
  readonly path: string
}

/** Opens a payment session of 10.00 EUR, or a checkout session. */
export async function openDebit(
  kind: 'payment' | 'checkout' = 'payment',
  types: { readonly payment_method_types: readonly ('card' | 'sepa_debit')[] } = DEBIT_TYPES,
): Promise<DebitPage> {
  const sandbox = createSandbox()
  const session =
    kind === 'payment'
      ? await newPaymentSession(sandbox, { ...types, description: 'Workshop' })
      : await newCheckout(sandbox, {}, types)
  return { sandbox, hosted: new HostedPages(CHECKOUT_URL, sandbox.runtime), path: pathOf(session) }
}

/** Returns a function that submits an IBAN, lets days pass and renders the result page. */
const renderDebit =
  (iban: string, days: number, kind: 'payment' | 'checkout' = 'payment') =>
  async (): Promise<ServedPage> => {
    const { sandbox, hosted, path } = await openDebit(kind)
    await hosted.submit(path, { iban, holder: 'Ada Lovelace' })
    await sandbox.advance(days * DAY)
    return hosted.get(path)
  }

/** Opens the page of an invoice whose debit has no outcome, and the card update of its customer. */
export async function openDebitedInvoice(): Promise<DebitPage & { readonly card: string }> {
  const sandbox = createSandbox()
  const { id, customer } = await subscribe(sandbox, { card: 'sepa_debit_fails' })
  const [invoice] = (await sandbox.call(api.invoices.list, { subscription: id })).data
  const { url } = await sandbox.call(api.cardSessions.create, { customer })
  const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
  return { sandbox, hosted, path: `/invoices/${invoice?.id}`, card: pathOf({ url }) }
}

const GOOD = 'DE89 3704 0044 0532 0130 00'
const FAILING = 'DE62370400440532013001'

/** The pages of direct debits. */
export const DEBIT_SCENES: readonly (readonly [name: string, render: () => Promise<ServedPage>])[] = [
  [
    'debit-invalid',
    async () => {
      const { hosted, path } = await openDebit('checkout')
      return hosted.submit(path, { iban: 'DE00', holder: '' })
    },
  ],
  [
    'debit-only',
    async () => {
      const { hosted, path } = await openDebit('payment', { payment_method_types: ['sepa_debit'] })
      return hosted.submit(path, { iban: 'DE00', holder: '' })
    },
  ],
  ['debit-submitted', renderDebit(GOOD, 0)],
  ['debit-paid', renderDebit(GOOD, 3)],
  ['debit-failed', renderDebit(FAILING, 3)],
  ['debit-subscribed', renderDebit(GOOD, 0, 'checkout')],
  ['debit-invoice', async () => openDebitedInvoice().then(({ hosted, path }) => hosted.get(path))],
  ['debit-card-update', async () => openDebitedInvoice().then(({ hosted, card }) => hosted.get(card))],
]
