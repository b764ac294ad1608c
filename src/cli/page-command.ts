import type { FlagInput } from '@oclif/core/interfaces'
import { sanitizeText } from '../domain/sanitize.ts'
import { BaseCommand } from './base-command.ts'
import { openInBrowser } from './browser.ts'
import { boolean } from './options.ts'
import { printData, printNote } from './output.ts'
import type { FlagValues } from './params.ts'

interface PagedSession {
  readonly url: string
  readonly status: string
}

/** The commands that show a session's page. */
export abstract class PageCommand extends BaseCommand {
  static override flags: FlagInput = {
    browser: boolean({
      description: 'Open the page in the browser; with --no-browser its address is only printed.',
      allowNo: true,
      default: true,
    }),
  }

  /** Prints the address of the session's page and opens it. */
  protected async openPage(session: PagedSession, { browser, json, field }: FlagValues): Promise<void> {
    if (json === true || field !== undefined) this.print(session)
    else printData(`${sanitizeText(session.url)}\n`)
    if (session.status !== 'open')
      printNote(`This session is ${sanitizeText(session.status)}: its page only says so.`)
    if (browser === true) await openInBrowser(session.url)
  }
}
