import { DomainError } from '../../domain/core/domain-error.ts'
import type { PageResponse } from '../forms/page-response.ts'
import { html } from '../markup/html.ts'
import type { PageView } from '../view/page-view.ts'
import { createStatusPageResponse, type StatusPageContent } from './status-pages.ts'

const ADVANCING_SECONDS = 1

/** Returns the page for an advancing, failed or deleted test clock, or null for any other error. */
export function createClockErrorResponse(
  error: unknown,
  { path, isSubmitted }: { readonly path: string; readonly isSubmitted: boolean },
  view: PageView,
): PageResponse | null {
  const { t } = view.language
  const notUsed = isSubmitted ? [t('notUsed')] : []
  switch (error instanceof DomainError ? error.code : null) {
    case 'test_clock_advancing': {
      const content: StatusPageContent = {
        icon: 'waiting',
        title: t('pleaseWait'),
        text: [t('clockMoving'), ...notUsed, t(isSubmitted ? 'tryAgainNow' : 'triesAgain')].join(' '),
        link: html`<a class="button" href="${path}">${t('tryAgain')}</a>`,
        // After a submitted form, give the customer time to read that the form was not used.
        ...(isSubmitted ? {} : { refresh: { url: path, afterSeconds: ADVANCING_SECONDS } }),
      }
      return createStatusPageResponse(view, content, 409, { 'Retry-After': String(ADVANCING_SECONDS) })
    }
    case 'test_clock_failed': {
      const text = [t('clockFailed'), ...notUsed, t('clockFailedAdvice')].join(' ')
      return createStatusPageResponse(view, { icon: 'ended', title: t('testBroken'), text }, 409)
    }
    case 'test_clock_deleted': {
      const text = [t('clockDeleted'), ...notUsed, t('askForNewLink')].join(' ')
      return createStatusPageResponse(view, { icon: 'ended', title: t('testClockDeleted'), text }, 410)
    }
    default:
      return null
  }
}
