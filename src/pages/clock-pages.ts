import { Refusal } from '../domain/refusal.ts'
import { type Closed, closed } from './closed-pages.ts'
import { type PageAnswer, page } from './exchange.ts'
import { html } from './html.ts'
import type { Links } from './links.ts'

/** A request that a test clock may refuse. */
export interface ClockedRequest {
  /** The path it asked for. */
  readonly here: string
  readonly isSubmitted: boolean
}

const ADVANCING_SECONDS = 1
const UNUSED = 'What you just sent was not used, and nothing was charged by it.'

/** The calm answer when the test clock of what a page shows does not stand still; null for any other error. */
export function clockAnswer(error: unknown, request: ClockedRequest, links: Links): PageAnswer | null {
  const code = error instanceof Refusal ? error.code : null
  if (code === 'test_clock_advancing') {
    return page(409, closed(advancing(request), links), { 'Retry-After': String(ADVANCING_SECONDS) })
  }
  if (code === 'test_clock_failed') return page(409, closed(broken(request), links))
  return code === 'test_clock_deleted' ? page(410, closed(deleted(request), links)) : null
}

function advancing({ here, isSubmitted }: ClockedRequest): Closed {
  const words = 'The test clock of this page is being moved, and nothing can be paid meanwhile.'
  return {
    sign: 'waiting',
    title: 'One moment, please',
    text: isSubmitted ? `${words} ${UNUSED} Try again now.` : `${words} This page tries again by itself.`,
    way: html`<a class="button" href="${here}">Try again</a>`,
    // Whoever sent a form should have the time to read that it was not used.
    ...(isSubmitted ? {} : { leadsTo: { url: here, afterSeconds: ADVANCING_SECONDS } }),
  }
}

function broken({ isSubmitted }: ClockedRequest): Closed {
  const words = 'Something failed on the test clock of this page, so nothing can be paid here any more.'
  const advice =
    'If you run this test, find the failure in the log of the daemon, delete the clock and begin with a new one.'
  return {
    sign: 'ended',
    title: 'This test cannot go on',
    text: [words, ...(isSubmitted ? [UNUSED] : []), advice].join(' '),
  }
}

function deleted({ isSubmitted }: ClockedRequest): Closed {
  const words = 'The test clock of this page was deleted, so nothing can be paid here any more.'
  const advice = 'Ask whoever sent you this link for a new one.'
  return {
    sign: 'ended',
    title: 'This test is over',
    text: [words, ...(isSubmitted ? [UNUSED] : []), advice].join(' '),
  }
}
