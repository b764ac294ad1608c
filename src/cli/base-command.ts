import { Command } from '@oclif/core/command'
import { boolean, string } from '@oclif/core/flags'
import type { FlagInput } from '@oclif/core/interfaces'
import type { ObjectSchema } from '../api/schema.ts'
import { type Client, type ClientOptions, createClient } from '../client/client.ts'
import type { Callable } from '../client/request.ts'
import { sanitizeText } from '../domain/sanitize.ts'
import { readConfig } from './config.ts'
import { idempotencyKeyOf } from './create-flags.ts'
import { jsonReport, reportOf, textReport } from './error-report.ts'
import { exitCodeOf } from './exit-codes.ts'
import { paramsFromFile } from './from-file.ts'
import {
  isTerminal,
  noteOn,
  type OutputForm,
  printData,
  printNote,
  renderAnswer,
  renderJsonLine,
} from './output.ts'
import { type FlagValues, paramsFromFlags, requireParams, textsOf } from './params.ts'
import { createStyle, isColorWanted, type Style } from './style.ts'
import { UsageError } from './usage-error.ts'

const helpGroup = 'GLOBAL'

/** What the command line gave. */
export interface Given {
  /** The positional id, empty for commands without one. */
  readonly id: string
  /** All positional arguments in the order in which they came. */
  readonly words: readonly string[]
  readonly flags: FlagValues
}

/** An operation whose parameters flags can be made of. */
export interface FlaggedOperation extends Callable {
  readonly params: ObjectSchema<unknown>
}

/** What all commands that talk to the API share: where it is, how answers and errors are told, exit codes. */
export abstract class BaseCommand extends Command {
  static override baseFlags: FlagInput = {
    json: boolean({ description: 'Print JSON, on a terminal too.', helpGroup }),
    field: string({
      description: 'Print only this field, raw, such as id or data[].id; repeat for more.',
      helpValue: '<path>',
      helpGroup,
      multiple: true,
      multipleNonGreedy: true,
    }),
    'api-base': string({
      description: 'Where the API is; the local daemon unless given.',
      helpValue: '<url>',
      env: 'PAYCLI_API_BASE',
      helpGroup,
    }),
    'api-key': string({
      description: "The key to use; the local daemon's own unless given.",
      helpValue: '<key>',
      env: 'PAYCLI_API_KEY',
      helpGroup,
    }),
    color: boolean({
      description: 'Colour or not; NO_COLOR and FORCE_COLOR are heeded.',
      allowNo: true,
      helpGroup,
    }),
  }

  private flags: FlagValues = {}

  /** Reads the command line; call it before anything else. */
  protected async given(): Promise<Given> {
    const { args, argv, flags } = await this.parse()
    this.flags = flags
    const id: unknown = args['id'] ?? ''
    if ('id' in args && id === '')
      throw new UsageError('argument_missing', 'The id is empty.', { param: 'id' })
    return { id: String(id), words: argv.map(String), flags }
  }

  /** Makes the one call of a command that does nothing else, from its flags alone, and prints the answer. */
  protected async callFromFlags(operation: FlaggedOperation): Promise<void> {
    const { id, flags } = await this.given()
    const given = { ...(await paramsFromFile(flags)), ...paramsFromFlags<unknown>(operation.params, flags) }
    const params = id === '' ? given : { ...given, id }
    requireParams<unknown>(operation.params, params)
    this.print(await this.client().send(operation, params))
  }

  /** A client of the API that the flags, the environment or the local daemon name. */
  protected client(limits: Pick<ClientOptions, 'timeoutMs'> = {}): Client {
    const idempotencyKey = idempotencyKeyOf(this.flags)
    return createClient({ ...readConfig(this.flags, process.env), idempotencyKey, ...limits })
  }

  /** Prints the answer to stdout in the form that was asked for; `note` is for people only, and goes to stderr. */
  protected print(answer: object, note: () => string | null = () => noteOn(answer)): void {
    printData(renderAnswer(answer, this.form()))
    const remark = isTerminal() ? note() : null
    if (remark !== null) printNote(sanitizeText(remark))
  }

  /** The same for an answer that has a view of its own for people. */
  protected printView(answer: object, view: (style: Style) => string): void {
    const form = this.form()
    const isView = form.format === 'text' && form.fields.length === 0
    printData(isView ? view(form.style) : renderAnswer(answer, form))
  }

  /** One of many answers that come one after the other: a view for people, else one line of JSON each. */
  protected printEntry(answer: object, view: (style: Style) => string): void {
    const form = this.form()
    if (form.fields.length > 0) printData(renderAnswer(answer, form))
    else printData(form.format === 'text' ? view(form.style) : renderJsonLine(answer))
  }

  private form(): OutputForm {
    const { json, field, color } = this.flags
    return {
      format: json === true || !isTerminal() ? 'json' : 'text',
      fields: textsOf(field),
      style: createStyle(isColorWanted(color, process.env, isTerminal())),
    }
  }

  /** Tells an error on stderr and sets the exit code; nothing of it reaches stdout. */
  protected override async catch(error: Error): Promise<void> {
    // Help and version end with an error that is none.
    if ('code' in error && error.code === 'EEXIT') throw error
    // oclif would warn of a command line that was never parsed, when that it could not be is what is told here.
    this.parsed = true
    process.exitCode = exitCodeOf(error)
    const report = reportOf(error, `${this.config.bin} ${(this.id ?? '').replaceAll(':', ' ')}`)
    process.stderr.write(this.isJsonAsked() ? jsonReport(report) : textReport(report, this.errorStyle()))
    if (report.type === 'unexpected_error' && process.env['PAYCLI_DEBUG'])
      printNote(sanitizeText(error.stack ?? ''))
  }

  // The flags may be what could not be parsed.
  private isJsonAsked(): boolean {
    const end = this.argv.indexOf('--')
    return (end === -1 ? this.argv : this.argv.slice(0, end)).includes('--json')
  }

  private errorStyle() {
    return createStyle(isColorWanted(this.flags['color'], process.env, process.stderr.isTTY === true))
  }
}
