import { BaseCommand } from '../src/cli/command/base-command.ts'
import { UsageError } from '../src/cli/errors/usage-error.ts'
import { printData, renderText } from '../src/cli/output/output.ts'
import { boolean, word } from '../src/cli/parse/options.ts'
import { explainUnknownTarget, parseTarget } from '../src/cli/request/object-paths.ts'
import { readServiceStatus } from '../src/cli/service/service-status.ts'
import { openInBrowser } from '../src/cli/sessions/browser.ts'

/** The fields with the page of an object. */
const PAGE_FIELDS = ['url', 'hosted_invoice_url']

export default class Open extends BaseCommand {
  static override summary = 'Open the page of an object, or the API reference'
  static override args = {
    target: word({ description: 'Id of a session or an invoice (default: the API reference).' }),
  }
  static override flags = {
    browser: boolean({
      description: 'Open the page in the browser. With --no-browser, print only its address.',
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
    const { words, flags } = await this.readInput()
    const [id] = words
    const address = id === undefined ? await this.reference(flags) : await this.pageOf(id)
    if (flags['json'] === true) this.print({ url: address })
    else printData(renderText(`${address}\n`))
    if (flags['browser'] === true) await openInBrowser(address)
  }

  private async reference(flags: Parameters<typeof readServiceStatus>[0]): Promise<string> {
    const { api_url } = await readServiceStatus(flags, process.env)
    return `${api_url}/docs`
  }

  private async pageOf(id: string): Promise<string> {
    const { path } = parseTarget(id)
    const object = await explainUnknownTarget(id, this.client().send({ method: 'GET', path }, {}))
    const page = PAGE_FIELDS.map((name): unknown => Reflect.get(object, name)).find(
      (url) => typeof url === 'string',
    )
    if (typeof page === 'string') return page
    throw new UsageError('argument_invalid', `'${id}' has no page.`, {
      hint: 'Give the id of a session (cks_, py_sess_) or of a finalized invoice (in_).',
    })
  }
}
