import { checkCard, normalizeCardNumber } from '../../domain/card-checks.ts'
import { isRuledOut } from '../../domain/charge-invoice.ts'
import { DomainError, refuseProblems } from '../../domain/domain-error.ts'
import { payByEnteredCard } from '../../domain/invoice-submission.ts'
import type { Invoice } from '../../domain/invoices.ts'
import { loadOwing } from '../../engine/load-billing.ts'
import { drainDeadlines } from '../../engine/real-time.ts'
import { onClockOf, unixOf } from '../../engine/time-source.ts'
import { fieldOf, type KeptFields, readTypedCard } from '../forms/entered-card.ts'
import { isOwed, isPayable, payableSubject } from '../forms/form-targets.ts'
import { createFormToken, readFormToken } from '../forms/form-token.ts'
import { type Shown, showAgain, type Visit } from '../forms/handlers.ts'
import { type PageAnswer, page, seeOther } from '../forms/http.ts'
import { askerOfInvoice } from '../forms/merchant-name.ts'
import { formState } from '../forms/notices.ts'
import { pauseOf, type Resumed, resumedAfter, resumedAfterDecline } from '../forms/resumed-form.ts'
import { type Reader, submitOnce } from '../forms/submission.ts'
import { notFoundPage, tooManyDeclines } from '../status/closed-pages.ts'
import { payableInvoicePage, settledInvoicePage } from './invoice-page.ts'
import { closedInvoicePage } from './invoice-pages.ts'

/**
 * GET of an invoice: the form while it can be paid, how it ended afterwards, that it cannot be paid when its customer was
 * deleted. A draft is not found.
 */
export async function showInvoice(visit: Visit, id: string): Promise<PageAnswer> {
  const invoice = await visit.pages.runtime.store.get('invoices', id)
  if (invoice === null || invoice.status === 'draft') return page(404, notFoundPage(visit.view))
  if (!isOwed(invoice)) return page(200, settledInvoicePage(invoice, visit.view))
  return (await isPayable(visit.pages.runtime.store, invoice))
    ? openForm(visit, invoice, visit)
    : page(410, closedInvoicePage(invoice, visit.view))
}

/** POST of an invoice's form. */
export async function postInvoice(visit: Visit, id: string): Promise<PageAnswer> {
  const { pages, form, view } = visit
  const { runtime } = pages
  const invoice = await runtime.store.get('invoices', id)
  if (invoice === null || invoice.status === 'draft') return showInvoice(visit, id)
  if (!(await isPayable(runtime.store, invoice)))
    return visit.wantsHtml ? seeOther(view.links.invoice(id)) : showInvoice(visit, id)
  const typed = readTypedCard(form)
  const { kept } = typed
  const rendered = { sessionId: id, now: runtime.wallNow() }
  const token = readFormToken(fieldOf(form, 'form_token'), rendered, pages.formKey)
  if (token === null) return showFormAgain(visit, invoice, { reason: { why: 'unverified' }, kept })
  try {
    if (typed.problems.length > 0)
      refuseProblems([...checkCard(typed.entered, await nowOf(visit, invoice)), ...typed.problems])
    const outcome = await submitOnce(runtime, {
      subject: payableSubject(invoice),
      nonce: token.nonce,
      act: (owing, context) => payByEnteredCard(owing, typed.entered, context),
      last4: () => normalizeCardNumber(String(typed.entered.number)).slice(-4),
    })
    if (outcome?.kind === 'authenticate') return seeOther(view.links.threeDSecure(outcome.target))
    if (outcome?.kind !== 'refused') return settled(visit, id)
    return showFormAgain(visit, invoice, resumedAfterDecline(outcome, kept))
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return afterRefusal(visit, invoice, { refusal: error, kept })
  }
}

/** Somebody paid it, here or elsewhere. */
async function settled({ pages, view }: Visit, id: string): Promise<PageAnswer> {
  await drainDeadlines(pages.runtime)
  return seeOther(view.links.invoice(id))
}

async function afterRefusal(
  visit: Visit,
  invoice: Invoice,
  { refusal, kept }: { readonly refusal: DomainError; readonly kept: KeptFields },
): Promise<PageAnswer> {
  const resumed = resumedAfter(refusal, { kept, now: await nowOf(visit, invoice) })
  if (resumed === null) throw refusal
  return showFormAgain(visit, invoice, resumed)
}

function nowOf({ pages: { runtime } }: Pick<Visit, 'pages'>, invoice: Invoice): Promise<number> {
  return unixOf(onClockOf(invoice), runtime.store, runtime.wallNow())
}

function showFormAgain(visit: Visit, invoice: Invoice, resumed: Resumed): PageAnswer | Promise<PageAnswer> {
  return showAgain(visit, resumed, (status) => openForm(visit, invoice, { resumed, status }))
}

async function openForm(
  { pages, view }: Visit,
  invoice: Invoice,
  { resumed, status = 200 }: Shown,
): Promise<PageAnswer> {
  const { id } = invoice
  const now = await nowOf({ pages }, invoice)
  const pause = pauseOf(resumed, now)
  if (pause > 0) return tooManyDeclines(invoice, { form: view.links.invoice(id), seconds: pause }, view)
  const rendered = { sessionId: id, nonce: pages.newNonce(), issuedAt: pages.runtime.wallNow() }
  const shown = { token: createFormToken(rendered, pages.formKey), now }
  const { store } = pages.runtime
  const chargedAgain = await nextCharge(store, invoice)
  const payable = { invoice, chargedAgain, asker: await askerOfInvoice(store, invoice, view) }
  return page(status, payableInvoicePage(payable, formState(resumed, shown, view.language), view))
}

/** When the saved card is charged again, in Unix seconds; null also where the turn comes, but no card that can work. */
async function nextCharge(reader: Reader, invoice: Invoice): Promise<number | null> {
  const { next_payment_attempt: next } = invoice
  if (next === null) return null
  const { account, tried } = await loadOwing(reader, invoice)
  return account.card === null || isRuledOut(account.card, tried) ? null : next
}
