import { normalizeCardNumber, validateCard } from '../../domain/card-validation.ts'
import { isRetryBlocked } from '../../domain/charge-invoice.ts'
import { DomainError, throwValidationErrors } from '../../domain/domain-error.ts'
import { submitInvoicePayment } from '../../domain/invoice-submission.ts'
import type { Invoice } from '../../domain/invoices.ts'
import { effectiveTimeOf, resolveTime } from '../../engine/effective-time.ts'
import { loadInvoiceRecords } from '../../engine/load-billing.ts'
import { runDueJobs } from '../../engine/real-time.ts'
import { createInvoicePaymentSubject, isPayable, isUnpaid } from '../forms/form-subjects.ts'
import { htmlResponse, type PageResponse, seeOther } from '../forms/http.ts'
import { loadInvoiceMerchantName } from '../forms/merchant-name.ts'
import { createFormState } from '../forms/notices.ts'
import {
  issueToken,
  type PageContext,
  type RenderFormOptions,
  readPostedToken,
  redisplayForm,
} from '../forms/page-context.ts'
import { type PrefilledFields, readCardForm } from '../forms/posted-form.ts'
import {
  getPauseSeconds,
  type ResumedForm,
  resumeAfterDecline,
  resumeAfterError,
} from '../forms/resumed-form.ts'
import { submitOnce, type TransactionReader } from '../forms/submission.ts'
import { notFoundPage, tooManyDeclinesResponse } from '../status/status-pages.ts'
import { payableInvoicePage, settledInvoicePage } from './invoice-page.ts'
import { closedInvoicePage } from './invoice-result-pages.ts'

/**
 * GET of an invoice: the form while it can be paid, otherwise its result. Returns 410 when its customer was deleted, and
 * 404 for a draft.
 */
export async function showInvoice(context: PageContext, id: string): Promise<PageResponse> {
  const invoice = await context.pages.runtime.store.get('invoices', id)
  if (invoice === null || invoice.status === 'draft') return htmlResponse(404, notFoundPage(context.view))
  if (!isUnpaid(invoice)) return htmlResponse(200, settledInvoicePage(invoice, context.view))
  return (await isPayable(context.pages.runtime.store, invoice))
    ? renderFormPage(context, invoice, context)
    : htmlResponse(410, closedInvoicePage(invoice, context.view))
}

/** POST of an invoice's form. */
export async function postInvoice(context: PageContext, id: string): Promise<PageResponse> {
  const { pages, form, view } = context
  const { runtime } = pages
  const invoice = await runtime.store.get('invoices', id)
  if (invoice === null || invoice.status === 'draft') return showInvoice(context, id)
  if (!(await isPayable(runtime.store, invoice)))
    return context.wantsHtml ? seeOther(view.links.invoice(id)) : showInvoice(context, id)
  const input = readCardForm(form)
  const { prefilled } = input
  const token = readPostedToken(context, id)
  if (token === null)
    return redisplayInvoiceForm(context, invoice, { reason: { why: 'unverified' }, prefilled })
  try {
    if (input.errors.length > 0)
      throwValidationErrors([
        ...validateCard(input.card, await getInvoiceTime(context, invoice)),
        ...input.errors,
      ])
    const outcome = await submitOnce(runtime, {
      subject: createInvoicePaymentSubject(invoice),
      nonce: token.nonce,
      decide: (records, ruleContext) => submitInvoicePayment(records, input.card, ruleContext),
      getLast4: () => normalizeCardNumber(String(input.card.number)).slice(-4),
    })
    if (outcome?.kind === 'authenticate') return seeOther(view.links.threeDSecure(outcome.target))
    if (outcome?.kind !== 'refused') return redirectToSettled(context, id)
    return redisplayInvoiceForm(context, invoice, resumeAfterDecline(outcome, prefilled))
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return handleError(context, invoice, error, prefilled)
  }
}

/** For an invoice that was paid here or elsewhere. */
async function redirectToSettled({ pages, view }: PageContext, id: string): Promise<PageResponse> {
  await runDueJobs(pages.runtime)
  return seeOther(view.links.invoice(id))
}

async function handleError(
  context: PageContext,
  invoice: Invoice,
  error: DomainError,
  prefilled: PrefilledFields,
): Promise<PageResponse> {
  const resumed = resumeAfterError(error, prefilled, await getInvoiceTime(context, invoice))
  if (resumed === null) throw error
  return redisplayInvoiceForm(context, invoice, resumed)
}

function getInvoiceTime(
  { pages: { runtime } }: Pick<PageContext, 'pages'>,
  invoice: Invoice,
): Promise<number> {
  return resolveTime(effectiveTimeOf(invoice), runtime.store, runtime.wallNow())
}

function redisplayInvoiceForm(
  context: PageContext,
  invoice: Invoice,
  resumed: ResumedForm,
): PageResponse | Promise<PageResponse> {
  return redisplayForm(context, resumed, (status) => renderFormPage(context, invoice, { resumed, status }))
}

async function renderFormPage(
  { pages, view }: PageContext,
  invoice: Invoice,
  { resumed, status = 200 }: RenderFormOptions,
): Promise<PageResponse> {
  const { id } = invoice
  const now = await getInvoiceTime({ pages }, invoice)
  const pause = getPauseSeconds(resumed, now)
  if (pause > 0)
    return tooManyDeclinesResponse(invoice, { form: view.links.invoice(id), seconds: pause }, view)
  const state = createFormState(resumed, { token: issueToken(pages, id), now }, view.language)
  const { store } = pages.runtime
  const nextChargeAt = await findNextCharge(store, invoice)
  const payable = { invoice, nextChargeAt, merchant: await loadInvoiceMerchantName(store, invoice, view) }
  return htmlResponse(status, payableInvoicePage(payable, state, view))
}

/** Returns the next charge of the saved card in Unix seconds; null when none is scheduled or the card cannot be charged. */
async function findNextCharge(reader: TransactionReader, invoice: Invoice): Promise<number | null> {
  const { next_payment_attempt: next } = invoice
  if (next === null) return null
  const { account, history } = await loadInvoiceRecords(reader, invoice)
  return account.card === null || isRetryBlocked(account.card, history) ? null : next
}
