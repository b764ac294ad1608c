import { api } from '../../src/api/api.ts'
import { newCustomerWithCard } from '../support/billing.ts'
import { newCustomer } from '../support/samples.ts'
import { CHECKOUT_URL, catchDomainError, createSandbox, DAY, type Sandbox } from '../support/sandbox.ts'
import { HostedPages, pathOf, type ServedPage, VISA } from './hosted-pages.ts'

/** The hosted pages of a payment that reserves 45.00 EUR. */
interface Hold {
  readonly sandbox: Sandbox
  readonly hosted: HostedPages
  /** The path of the page, and the id of the payment, which is empty before the payment exists. */
  readonly path: string
  readonly payment: string
}

const TERMS = {
  amount: 4500,
  currency: 'eur',
  capture_method: 'manual',
  description: 'Deposit for a bicycle',
} as const

/** Opens a session that reserves an amount. */
export async function openHold(): Promise<Hold> {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const session = await sandbox.call(api.paymentSessions.create, { ...TERMS, customer })
  const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
  return { sandbox, hosted, path: pathOf(session), payment: '' }
}

/** Reserves the amount of a session on its page. */
export async function reserveOnPage(): Promise<Hold> {
  const hold = await openHold()
  await hold.hosted.submit(hold.path, VISA)
  const { data } = await hold.sandbox.call(api.payments.list, {})
  return { ...hold, payment: data[0]?.id ?? '' }
}

/** Reserves an amount on a saved card, after 3-D Secure on its page. */
export async function reserveAfterThreeDSecure(): Promise<Hold> {
  const sandbox = createSandbox()
  const { customer } = await newCustomerWithCard(sandbox, 'sca_always')
  const charge = sandbox.call(api.payments.create, { ...TERMS, customer, off_session: false })
  const payment = (await catchDomainError(charge)).details.payment?.id ?? ''
  const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
  await hosted.submit(`/3ds/${payment}`, { answer: 'approve' })
  return { sandbox, hosted, path: `/3ds/${payment}/done`, payment }
}

/** Captures 30.00 EUR of the reserved amount. */
export const capturePart = ({ sandbox, payment: id }: Hold) =>
  sandbox.call(api.payments.capture, { id, amount: 3000 })

/** Cancels the payment. */
export const release = ({ sandbox, payment: id }: Hold) => sandbox.call(api.payments.cancel, { id })

/** Lets the reservation expire. */
export const expire = ({ sandbox }: Hold) => sandbox.advance(7 * DAY)

/** Returns a function that renders the page of a reservation after an action. */
export const renderHold =
  (open: () => Promise<Hold>, act: (hold: Hold) => Promise<unknown> = async () => null) =>
  async (): Promise<ServedPage> => {
    const hold = await open()
    await act(hold)
    return hold.hosted.get(hold.path)
  }

/** The pages of reserved amounts. */
export const HOLD_SCENES: readonly (readonly [name: string, render: () => Promise<ServedPage>])[] = [
  ['hold-form', renderHold(openHold)],
  ['hold-reserved', renderHold(reserveOnPage)],
  ['hold-captured', renderHold(reserveOnPage, capturePart)],
  ['hold-released', renderHold(reserveOnPage, release)],
  ['hold-api-payment', renderHold(reserveAfterThreeDSecure)],
]
