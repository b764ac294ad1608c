import type { FlagInput } from '@oclif/core/interfaces'
import type { CheckoutSession } from '../../domain/checkout-sessions.ts'
import type { PaymentSession } from '../../domain/payment-sessions.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import { printData, printNote } from '../output/output.ts'
import { outcomeOf } from '../output/result-summary.ts'
import { boolean } from '../parse/options.ts'
import type { FlagValues } from '../parse/params.ts'
import { openInBrowser } from '../sessions/browser.ts'
import { awaitEnd, type Looking, looksOf, waitFlags } from '../sessions/session-end.ts'
import { pageOf } from '../sessions/session-page.ts'
import { BaseCommand } from './base-command.ts'

/** The commands that show a session's page. */
export abstract class PageCommand extends BaseCommand {
  static override flags: FlagInput = {
    browser: boolean({
      description: 'Open the page in the browser; with --no-browser its address is only printed.',
      allowNo: true,
      default: true,
    }),
    ...waitFlags,
  }

  /** Prints the address of the session's page and opens it, or awaits the end of the session and prints that. */
  protected async openPage<S extends CheckoutSession | PaymentSession>(
    session: S,
    flags: FlagValues,
    looking: Looking<S>,
  ): Promise<void> {
    const { browser, json, field, wait } = flags
    const looks = looksOf(flags['max-wait'])
    const url = pageOf(session)
    if (wait !== true) {
      if (json === true || field !== undefined) this.print(session)
      else printData(`${sanitizeText(url)}\n`)
    }
    if (session.status !== 'open')
      printNote(`This session is ${sanitizeText(String(session.status))}: its page only says so.`)
    if (browser === true) await openInBrowser(url)
    if (wait !== true) return
    const ended = await awaitEnd(session, looks, looking)
    this.print(ended, () => outcomeOf(ended))
  }
}
