import type { FlagInput } from '@oclif/core/interfaces'
import type { CheckoutSession } from '../../domain/checkout-sessions.ts'
import type { PaymentSession } from '../../domain/payment-sessions.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import { printData, printNote } from '../output/output.ts'
import { summarizeSession } from '../output/result-summary.ts'
import { boolean } from '../parse/options.ts'
import type { FlagValues } from '../parse/params.ts'
import { openInBrowser } from '../sessions/browser.ts'
import { findSessionUrl } from '../sessions/session-url.ts'
import { countPolls, type RetrieveSession, waitFlags, waitForSessionEnd } from '../sessions/session-wait.ts'
import { BaseCommand } from './base-command.ts'

/** Base class of the commands that open the hosted page of a session. */
export abstract class PageCommand extends BaseCommand {
  static override flags: FlagInput = {
    browser: boolean({
      description: 'Open the page in the browser. With --no-browser, print only its address.',
      allowNo: true,
      default: true,
    }),
    ...waitFlags,
  }

  /** Opens the page of the session and prints its address; with `--wait` prints the session when it has ended. */
  protected async openPage<S extends CheckoutSession | PaymentSession>(
    session: S,
    flags: FlagValues,
    retrieve: RetrieveSession<S>,
  ): Promise<void> {
    const { browser, json, field, wait } = flags
    const polls = countPolls(flags['max-wait'])
    const url = findSessionUrl(session)
    if (wait !== true) {
      if (json === true || field !== undefined) this.print(session)
      else printData(`${sanitizeText(url)}\n`)
    }
    if (session.status !== 'open')
      printNote(`This session is ${sanitizeText(String(session.status))}. Its page only shows that status.`)
    if (browser === true) await openInBrowser(url)
    if (wait !== true) return
    const ended = await waitForSessionEnd(session, polls, retrieve)
    this.print(ended, () => summarizeSession(ended))
  }
}
