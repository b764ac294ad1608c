import type { Invoice } from '../../domain/invoices.ts'
import type { Payment } from '../../domain/payments.ts'
import { fieldOf } from '../forms/entered-card.ts'
import { findSession } from '../forms/form-targets.ts'
import { createFormToken, readFormToken } from '../forms/form-token.ts'
import { type Shown, showAgain, showInstead, type Visit } from '../forms/handlers.ts'
import { type PageAnswer, page, seeOther } from '../forms/http.ts'
import { noticeOf } from '../forms/notices.ts'
import { notFoundPage } from '../status/closed-pages.ts'
import type { AnySession } from '../view/links.ts'
import type { Confirmation } from './confirmation.ts'
import { invoiceConfirmation, showConfirmedInvoice } from './invoice-confirmation.ts'
import { sessionConfirmation } from './session-confirmation.ts'
import { threeDSecurePage } from './three-d-secure-page.ts'

/** GET of a 3-D Secure page, whose target is a payment, or a checkout session that only saves a card. */
export async function showChallenge(visit: Visit, target: string): Promise<PageAnswer> {
  const confirmation = await findConfirmation(visit, target)
  if (confirmation === null) return page(404, notFoundPage(visit.view))
  return ask(visit, { target, confirmation }, visit)
}

/** POST of the buyer's answer: on to the thanks, or to why nothing was paid. */
export async function postChallenge(visit: Visit, target: string): Promise<PageAnswer> {
  const { pages, form, view } = visit
  const confirmation = await findConfirmation(visit, target)
  if (confirmation === null) return page(404, notFoundPage(view))
  const rendered = { sessionId: target, now: pages.runtime.wallNow() }
  const token = readFormToken(fieldOf(form, 'form_token'), rendered, pages.formKey)
  const answer = fieldOf(form, 'answer')
  if (token === null) return askAgain(visit, { target, confirmation }, 'unverified')
  if (answer !== 'approve' && answer !== 'reject') {
    return askAgain(visit, { target, confirmation }, 'unchosen')
  }
  const { nonce } = token
  const outcome = await confirmation.answer({ nonce, isApproved: answer === 'approve' })
  if (outcome !== null) return seeOther(confirmation.next(outcome, nonce))
  return showInstead(visit, view.links.threeDSecure(target), () => page(410, confirmation.gone()))
}

/** GET of how it ended what was confirmed here. */
export async function showConfirmed(visit: Visit, target: string): Promise<PageAnswer> {
  const asker = await findAsker(visit, target)
  if (asker === null) return page(404, notFoundPage(visit.view))
  if ('session' in asker) return seeOther(visit.view.links.done(asker.session))
  return showConfirmedInvoice(visit, asker.invoice, asker.payment)
}

/** Whose buyer a 3-D Secure page asks. */
type Asker = { readonly session: AnySession } | { readonly invoice: Invoice; readonly payment: Payment }

async function findAsker({ pages }: Visit, target: string): Promise<Asker | null> {
  const { store } = pages.runtime
  const payment = await store.get('payments', target)
  const session = payment?.payment_session
    ? await findSession(store, 'payment_session', payment.payment_session)
    : await findSession(store, 'checkout_session', payment?.checkout_session ?? target)
  if (session !== null) return { session }
  const invoice = payment?.invoice ? await store.get('invoices', payment.invoice) : null
  return payment === null || invoice === null ? null : { invoice, payment }
}

async function findConfirmation(visit: Visit, target: string): Promise<Confirmation | null> {
  const asker = await findAsker(visit, target)
  if (asker === null) return null
  return 'session' in asker
    ? sessionConfirmation(visit, asker.session, target)
    : invoiceConfirmation(visit, asker.invoice, asker.payment)
}

interface Asked {
  readonly target: string
  readonly confirmation: Confirmation
}

function askAgain(
  visit: Visit,
  asked: Asked,
  why: 'unverified' | 'unchosen',
): PageAnswer | Promise<PageAnswer> {
  const resumed = { reason: { why } }
  return showAgain(visit, resumed, (status) => ask(visit, asked, { resumed, status }))
}

async function ask(
  { pages, view }: Visit,
  { target, confirmation }: Asked,
  { resumed, status = 200 }: Shown,
): Promise<PageAnswer> {
  const challenge = await confirmation.challenge()
  if (challenge === null) return page(410, confirmation.gone())
  const rendered = { sessionId: target, nonce: pages.newNonce(), issuedAt: pages.runtime.wallNow() }
  const token = createFormToken(rendered, pages.formKey)
  const notice = noticeOf(resumed?.reason, view.language)
  return page(status, threeDSecurePage(challenge, { token, notice }, view))
}
