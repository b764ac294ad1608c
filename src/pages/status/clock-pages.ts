import { DomainError } from '../../domain/domain-error.ts'
import { type PageAnswer, page } from '../forms/http.ts'
import { html } from '../markup/html.ts'
import type { View } from '../view/view.ts'
import { type Closed, closed } from './closed-pages.ts'

/** A request that a test clock may refuse. */
export interface ClockedRequest {
  /** The path it asked for. */
  readonly here: string
  readonly isSubmitted: boolean
}

const ADVANCING_SECONDS = 1

/** The calm answer when the test clock of what a page shows does not stand still; null for any other error. */
export function clockAnswer(error: unknown, request: ClockedRequest, view: View): PageAnswer | null {
  const code = error instanceof DomainError ? error.code : null
  if (code === 'test_clock_advancing') {
    return page(409, closed(advancing(request, view), view), { 'Retry-After': String(ADVANCING_SECONDS) })
  }
  if (code === 'test_clock_failed') return page(409, closed(broken(request, view), view))
  return code === 'test_clock_deleted' ? page(410, closed(deleted(request, view), view)) : null
}

function advancing({ here, isSubmitted }: ClockedRequest, { language: { say } }: View): Closed {
  const last = isSubmitted ? [say('notUsed'), say('tryAgainNow')] : [say('triesAgain')]
  return {
    sign: 'waiting',
    title: say('oneMoment'),
    text: [say('clockMoving'), ...last].join(' '),
    way: html`<a class="button" href="${here}">${say('tryAgain')}</a>`,
    // Whoever sent a form should have the time to read that it was not used.
    ...(isSubmitted ? {} : { leadsTo: { url: here, afterSeconds: ADVANCING_SECONDS } }),
  }
}

function broken(request: ClockedRequest, { language: { say } }: View): Closed {
  const text = [say('clockFailed'), ...unused(request, say('notUsed')), say('clockFailedAdvice')].join(' ')
  return { sign: 'ended', title: say('testBroken'), text }
}

function deleted(request: ClockedRequest, { language: { say } }: View): Closed {
  const text = [say('clockDeleted'), ...unused(request, say('notUsed')), say('askForNew')].join(' ')
  return { sign: 'ended', title: say('testOver'), text }
}

function unused({ isSubmitted }: ClockedRequest, notUsed: string): string[] {
  return isSubmitted ? [notUsed] : []
}
