import { DomainError } from '../../domain/domain-error.ts'
import { htmlResponse, type PageResponse } from '../forms/http.ts'
import { html } from '../markup/html.ts'
import type { PageView } from '../view/page-view.ts'
import { type StatusPageContent, statusPage } from './status-pages.ts'

/** The request that failed because of its test clock. */
export interface ClockErrorContext {
  readonly path: string
  readonly isSubmitted: boolean
}

const ADVANCING_SECONDS = 1

/** Returns the page for an advancing, failed or deleted test clock, or null for any other error. */
export function createClockErrorResponse(
  error: unknown,
  request: ClockErrorContext,
  view: PageView,
): PageResponse | null {
  const code = error instanceof DomainError ? error.code : null
  if (code === 'test_clock_advancing') {
    return htmlResponse(409, statusPage(advancingContent(request, view), view), {
      'Retry-After': String(ADVANCING_SECONDS),
    })
  }
  if (code === 'test_clock_failed') return htmlResponse(409, statusPage(failedContent(request, view), view))
  return code === 'test_clock_deleted'
    ? htmlResponse(410, statusPage(deletedContent(request, view), view))
    : null
}

function advancingContent(
  { path, isSubmitted }: ClockErrorContext,
  { language: { t } }: PageView,
): StatusPageContent {
  const advice = isSubmitted ? [t('notUsed'), t('tryAgainNow')] : [t('triesAgain')]
  return {
    icon: 'waiting',
    title: t('pleaseWait'),
    text: [t('clockMoving'), ...advice].join(' '),
    link: html`<a class="button" href="${path}">${t('tryAgain')}</a>`,
    // After a submitted form, leave the customer time to read that it was not used.
    ...(isSubmitted ? {} : { refresh: { url: path, afterSeconds: ADVANCING_SECONDS } }),
  }
}

function failedContent(request: ClockErrorContext, { language: { t } }: PageView): StatusPageContent {
  const text = [t('clockFailed'), ...notUsedTexts(request, t('notUsed')), t('clockFailedAdvice')].join(' ')
  return { icon: 'ended', title: t('testBroken'), text }
}

function deletedContent(request: ClockErrorContext, { language: { t } }: PageView): StatusPageContent {
  const text = [t('clockDeleted'), ...notUsedTexts(request, t('notUsed')), t('askForNew')].join(' ')
  return { icon: 'ended', title: t('testClockDeleted'), text }
}

function notUsedTexts({ isSubmitted }: ClockErrorContext, notUsed: string): string[] {
  return isSubmitted ? [notUsed] : []
}
