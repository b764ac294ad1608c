import { BaseCommand } from '../src/cli/command/base-command.ts'
import { UsageError } from '../src/cli/errors/usage-error.ts'
import { printData, renderText } from '../src/cli/output/output.ts'
import { boolean, word } from '../src/cli/parse/options.ts'
import { answerAt, targetOf } from '../src/cli/request/object-paths.ts'
import { statusOf } from '../src/cli/service/service-status.ts'
import { openInBrowser } from '../src/cli/sessions/browser.ts'

/** The fields that hold the page of an object. */
const PAGES = ['url', 'hosted_invoice_url']

export default class Open extends BaseCommand {
  static override summary =
    'Opens the page of a session or an invoice in the browser, or the reference of the API.'
  static override args = {
    target: word({ description: 'The id of a session or an invoice; the reference unless given.' }),
  }
  static override flags = {
    browser: boolean({
      description: 'Open it in the browser; with --no-browser its address is only printed.',
      allowNo: true,
      default: true,
    }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> cks_4bT9…',
    '<%= config.bin %> <%= command.id %> in_4bT9… --no-browser',
  ]

  override async run(): Promise<void> {
    const { words, flags } = await this.given()
    const [id] = words
    const address = id === undefined ? await this.reference(flags) : await this.pageOf(id)
    if (flags['json'] === true) this.print({ url: address })
    else printData(renderText(`${address}\n`))
    if (flags['browser'] === true) await openInBrowser(address)
  }

  private async reference(flags: Parameters<typeof statusOf>[0]): Promise<string> {
    const { api_url } = await statusOf(flags, process.env)
    return `${api_url}/docs`
  }

  private async pageOf(id: string): Promise<string> {
    const { path } = targetOf(id)
    const object = await answerAt(id, this.client().send({ method: 'GET', path }, {}))
    const page = PAGES.map((name): unknown => Reflect.get(object, name)).find(
      (url) => typeof url === 'string',
    )
    if (typeof page === 'string') return page
    throw new UsageError('argument_invalid', `'${id}' has no page.`, {
      hint: 'Give the id of a session (cks_, py_sess_) or of an invoice that was finalized (in_).',
    })
  }
}
