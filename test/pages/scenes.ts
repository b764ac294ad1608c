import { api } from '../../src/api/api.ts'
import type { Invoice } from '../../src/domain/billing/invoices.ts'
import { invoiceIn, subscribe, toNextPeriod } from '../support/billing.ts'
import { START } from '../support/rule-context.ts'
import { CHECKOUT_URL, createSandbox, DAY, type Sandbox } from '../support/sandbox.ts'
import { API_PAYMENT_SCENES } from './api-payment-scenes.ts'
import { CARD_SCENES } from './card-scenes.ts'
import {
  type ClockSandbox,
  challengeInvoice,
  createClockSandbox,
  newCheckout,
  updateClock,
} from './clock-sandbox.ts'
import { COUPON_SCENES } from './coupon-scenes.ts'
import { DEBIT_SCENES } from './debit-scenes.ts'
import { HOLD_SCENES } from './hold-scenes.ts'
import {
  acceptLanguage,
  card,
  type Form,
  HostedPages,
  invoicePathOf,
  locationOf,
  onCheckout,
  onPayment,
  open,
  pathOf,
  renderFailurePage,
  type ServedPage,
  VISA,
} from './hosted-pages.ts'
import { LAYOUT_SCENES } from './layout-scenes.ts'
import { PORTAL_SCENES } from './portal-scenes.ts'
import { RECEIPT_SCENES } from './receipt-scenes.ts'
import { createSentInvoice } from './sent-invoice.ts'
import { WALLET_SCENES } from './wallet-scenes.ts'

type Render = () => Promise<ServedPage>

/** A page by name. */
export type PageScene = readonly [name: string, render: Render]

const DECLINED = card('4000000000000002')
const CHALLENGED = card('4000000000003220')
const SLOW = card('4000009000000060')
const MAX_DECLINES = 10
const ITEMS = [
  { description: 'Monthly rent', price_data: { amount: 100_000, tax_percent: 20 } },
  { description: 'Parking space', price_data: { amount: 8000 } },
]

/** An open checkout session with the path of its page. */
interface CheckoutScene extends ClockSandbox {
  readonly path: string
  readonly session: string
}

async function openCheckoutScene(): Promise<CheckoutScene> {
  const clocked = await createClockSandbox(START)
  const session = await newCheckout(clocked)
  return { ...clocked, path: pathOf(session), session: session.id }
}

const submitAndOpen =
  (fields: Form, part = '') =>
  async (hosted: HostedPages, path: string): Promise<ServedPage> => {
    await hosted.submit(path, fields)
    return hosted.get(`${path}${part}`)
  }

async function declineTooOften(hosted: HostedPages, path: string): Promise<ServedPage> {
  for (let count = 0; count < MAX_DECLINES; count += 1) await hosted.submit(path, DECLINED)
  return hosted.submit(path, VISA)
}

const renderWithClock = (change: Parameters<typeof updateClock>[1]) => async () => {
  const clocked = await openCheckoutScene()
  await updateClock(clocked, change)
  return clocked.hosted.get(clocked.path)
}

const renderInvoiceAfter = (settle: (hosted: HostedPages, path: string) => Promise<unknown>) => async () => {
  const hosted = new HostedPages()
  const path = invoicePathOf(await createSentInvoice(hosted))
  await settle(hosted, path)
  return hosted.get(path)
}

const renderSentInvoiceAfter =
  (act: (sandbox: Sandbox, invoice: Invoice) => Promise<unknown>) => async (): Promise<ServedPage> => {
    const sandbox = createSandbox()
    const { id } = await subscribe(sandbox, { collection_method: 'send_invoice', items: ITEMS })
    const invoice = await invoiceIn(sandbox, id, ['open'])
    await act(sandbox, invoice)
    return new HostedPages(CHECKOUT_URL, sandbox.runtime).get(invoicePathOf(invoice))
  }

const renderChallengeAfter = (
  act: (clocked: ClockSandbox, path: string, invoice: string) => Promise<unknown>,
  part = '',
) => {
  return async () => {
    const clocked = await createClockSandbox(START)
    const { path, invoice } = await challengeInvoice(clocked)
    await act(clocked, path, invoice.id)
    return clocked.hosted.get(`${path}${part}`)
  }
}

const sessionScenes: readonly PageScene[] = [
  ['subscription', onCheckout(open, { items: ITEMS })],
  ['payment', onPayment(open, { description: 'Workshop' })],
  [
    'business',
    onPayment((hosted, path) => {
      hosted.pages.brand = { name: 'Northwind <b>Rentals</b> '.repeat(4).trim() }
      return hosted.get(path)
    }),
  ],
  ...WALLET_SCENES,
  ...COUPON_SCENES,
  [
    'brand-color',
    onPayment(open, { branding: { business_name: 'Northwind Lettings', brand_color: '#ffb300' } }),
  ],
  ['decline', onPayment((hosted, path) => hosted.submit(path, DECLINED))],
  [
    'invalid-fields',
    onPayment((hosted, path) => hosted.submit(path, { ...VISA, number: '4242', expiry: '12/20' })),
  ],
  [
    'three-d-secure',
    onPayment(async (hosted, path) => hosted.get(locationOf(await hosted.submit(path, CHALLENGED)))),
  ],
  [
    'three-d-secure-superseded',
    onPayment(async (hosted, path) => {
      const bank = locationOf(await hosted.submit(path, CHALLENGED))
      await hosted.submit(path, VISA)
      return hosted.get(bank)
    }),
  ],
  ['processing', onPayment(submitAndOpen(SLOW, '/done'), { description: 'Workshop' })],
  ['done', onCheckout(submitAndOpen(VISA, '/done'))],
  ['already-done', onPayment(submitAndOpen(VISA))],
  [
    'expired',
    onPayment((hosted, path) => {
      hosted.now += DAY
      return hosted.get(path)
    }),
  ],
  [
    'canceled',
    async () => {
      const { sandbox, hosted, session, path } = await openCheckoutScene()
      await sandbox.call(api.checkoutSessions.expire, { id: session })
      return hosted.get(path)
    },
  ],
  ['too-many-declines', onPayment(declineTooOften)],
  [
    'too-many-declines-on-a-clock',
    async () => {
      const { hosted, path } = await openCheckoutScene()
      return declineTooOften(hosted, path)
    },
  ],
]

const clockScenes: readonly PageScene[] = [
  ['clock-advancing', renderWithClock({ status: 'advancing' })],
  ['clock-failed', renderWithClock({ status: 'internal_failure' })],
  ['clock-deleted', renderWithClock('deleted')],
]

const invoiceScenes: readonly PageScene[] = [
  ['invoice', renderInvoiceAfter(async () => {})],
  ['invoice-charge-failed', renderFailedCharge],
  ['invoice-paid', renderInvoiceAfter((hosted, path) => hosted.submit(path, VISA))],
  ['invoice-void', renderSentInvoiceAfter((sandbox, { id }) => sandbox.call(api.invoices.void, { id }))],
  [
    'invoice-closed',
    renderSentInvoiceAfter((sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer })),
  ],
  ['invoice-three-d-secure', renderChallengeAfter(async () => {})],
  [
    'invoice-confirmed',
    renderChallengeAfter(({ hosted }, path) => hosted.submit(path, { answer: 'approve' }), '/done'),
  ],
  [
    'invoice-rejected',
    renderChallengeAfter(({ hosted }, path) => hosted.submit(path, { answer: 'reject' }), '/done'),
  ],
  [
    'invoice-confirmed-before',
    renderChallengeAfter(({ hosted }, path) => hosted.submit(path, { answer: 'approve' })),
  ],
  [
    'invoice-attempt-canceled',
    renderChallengeAfter(
      ({ sandbox }, _path, id) => sandbox.call(api.invoices.pay, { id, paid_out_of_band: true }),
      '/done',
    ),
  ],
]

async function renderFailedCharge(): Promise<ServedPage> {
  const sandbox = createSandbox()
  const { id } = await subscribe(sandbox, { card: 'renewal_no_funds' })
  await toNextPeriod(sandbox, id)
  const { hosted_invoice_url } = await invoiceIn(sandbox, id, ['open'])
  return new HostedPages(CHECKOUT_URL, sandbox.runtime).get(pathOf({ url: hosted_invoice_url ?? '' }))
}

const failureScenes: readonly PageScene[] = [
  ['not-found', () => new HostedPages().get('/none')],
  [
    'wrong-method',
    async () => {
      const hosted = new HostedPages()
      return hosted.serve({ method: 'DELETE', path: pathOf(await hosted.payment()) })
    },
  ],
  ...[400, 403, 413, 429, 500].map(
    (status): PageScene => [
      `failure-${status}`,
      async () => renderFailurePage(status, { brand: { name: null } }, { acceptLanguage: acceptLanguage() }),
    ],
  ),
]

/** Every page that a customer may see. */
export const CUSTOMER_SCENES: readonly PageScene[] = [
  ...sessionScenes,
  ...clockScenes,
  ...invoiceScenes,
  ...CARD_SCENES,
  ...PORTAL_SCENES,
  ...API_PAYMENT_SCENES,
  ...DEBIT_SCENES,
  ...HOLD_SCENES,
  ...RECEIPT_SCENES,
  ...LAYOUT_SCENES,
  ...failureScenes,
]
