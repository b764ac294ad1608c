import type { ArgInput, Config, FlagInput, Input, ParserOutput } from '@oclif/core/interfaces'
import { type Client, type ClientOptions, createClient } from '../../client/client.ts'
import type { ServerConnection } from '../../client/server-connection.ts'
import type { JsonObject } from '../../domain/core/json-object.ts'
import { createDryRunClient } from '../errors/dry-run.ts'
import { parseCommandLine } from '../launch/command-line.ts'
import { validateFieldPaths } from '../output/field-path.ts'
import { isStdoutTerminal, printWarning, renderJsonLine, writeToStdout } from '../output/output.ts'
import { getOutputSettings, printJsonOrFields, renderStreamEntryFields } from '../output/render-response.ts'
import { findSandboxToSuggest } from '../output/sandbox-flag.ts'
import type { Style } from '../output/style.ts'
import { boolean, repeatable, string } from '../parse/flag-builders.ts'
import { findIdempotencyKey } from '../parse/mutation-flags.ts'
import { type FlagValues, listFlagValues } from '../parse/params.ts'
import { type CommandInput, toCommandInput } from '../request/call.ts'
import { expandShortIds, hasShortIds } from '../request/short-ids.ts'
import { resolveConnectionConfig } from '../service/config.ts'
import type { RenderedText, ViewOptions } from '../views/view-options.ts'

const helpGroup = 'GLOBAL'

const json = boolean({ description: 'Print JSON, even on a terminal.', helpGroup })
const field = repeatable({
  description: 'Print only this field, unformatted, such as id or data[].id. Repeat for more fields.',
  helpValue: '<path>',
  helpGroup,
})
const color = boolean({
  description: 'Force colors on or off. NO_COLOR and FORCE_COLOR also apply.',
  allowNo: true,
  helpGroup,
})

const wide = boolean({
  description: 'Print all columns and fields, complete ids and absolute times on a terminal.',
  helpGroup,
})

/** The output flags of every command, including commands that do not call the API. */
export const outputFlags: FlagInput = { json, field, wide, color }

/** The flags that select a server. */
export const connectionFlags: FlagInput = {
  'api-base': string({
    description: 'Base URL of the API (default: the local server).',
    helpValue: '<url>',
    env: 'PAYCLI_API_BASE',
    helpGroup,
  }),
  'api-key': string({
    description: 'API key (default: the key of the local server).',
    helpValue: '<key>',
    env: 'PAYCLI_API_KEY',
    helpGroup,
  }),
  profile: string({
    description:
      'Profile with the API address and API key (default: the profile in use). --api-base and --api-key override the profile.',
    helpValue: '<name>',
    env: 'PAYCLI_PROFILE',
    helpGroup,
  }),
}

/** The flag that selects a sandbox. Commands that open the database directly use this flag too. */
export const sandboxFlag = string({
  description: 'Sandbox, by id or by the name of a sandbox that you created (default: default).',
  helpValue: '<id|name>',
  env: 'PAYCLI_SANDBOX',
  helpGroup,
})

/** Returns the examples of a command. Each entry of `words` follows the name of the command. */
export function toExamples(words: readonly string[]): string[] {
  return words.map((one) => `<%= config.bin %> <%= command.id %> ${one}`.trimEnd())
}

/** The part of the oclif configuration that commands use. `root` is the folder of the package. */
type CommandConfig = Pick<Config, 'root'>

/**
 * Base class of the commands that call the API: connection, output, error reports and exit codes. Implements the
 * command interface of oclif without oclif's base class, which is slow to load.
 */
export abstract class BaseCommand {
  static id = ''
  static summary: string | undefined
  static description: string | undefined
  static hidden = false
  static aliases: string[] = []
  static examples: string[] = []
  static args: ArgInput = {}
  /** Whether undeclared arguments are an error. */
  static strict = true
  /** The usage line; undefined if the help can derive the line from the flags and arguments. */
  static usage: string | undefined
  static flags: FlagInput = {}
  static baseFlags: FlagInput = {
    json,
    field,
    wide,
    ...connectionFlags,
    sandbox: sandboxFlag,
    color,
  }

  protected readonly argv: readonly string[]
  protected readonly config: CommandConfig
  private flags: FlagValues = {}
  /** The text output module; null unless stdout is a terminal. */
  private textOutput: typeof import('../views/text-view.ts') | null = null
  /** The time of the server in the last response, in Unix seconds. */
  private serverTime: number | null = null

  constructor(argv: readonly string[], config: CommandConfig) {
    this.argv = argv
    this.config = config
  }

  /** Runs the command with the given arguments. An error is printed and sets the exit code. */
  static async run(
    this: new (
      ...args: ConstructorParameters<typeof BaseCommand>
    ) => BaseCommand,
    argv: readonly string[],
    config: CommandConfig,
  ): Promise<void> {
    const command = new this(argv, config)
    try {
      await command.run()
    } catch (error) {
      const { printError } = await import('../output/print-error.ts')
      const { id, baseFlags, flags, examples } = command.class
      const flagNames = Object.keys({ ...baseFlags, ...flags })
      await printError(error, { root: config.root, id, argv, flagNames, examples, flags: command.flags })
    }
  }

  abstract run(): Promise<void>

  private get class(): typeof BaseCommand {
    return Object(this.constructor)
  }

  /** Parses the command line with the flags and arguments of a class. */
  protected async parse<F extends JsonObject, B extends JsonObject, A extends JsonObject>(
    definition: Input<F, B, A>,
    argv: readonly string[] = this.argv,
  ): Promise<ParserOutput<F, B, A>> {
    const { args = {}, strict } = definition
    const input = { args, flags: { ...definition.baseFlags, ...definition.flags }, strict }
    const command = this.class.id.replaceAll(':', ' ')
    const parsed: unknown = await parseCommandLine(input, argv, { env: process.env, command })
    const output = parsed as ParserOutput<F, B, A>
    // Store the parsed flags, because hints about errors depend on the flags.
    this.flags = output.flags
    return output
  }

  /** Parses the command line and validates `--field`. Call this method first: others use the parsed flags. */
  protected async readInput(words: readonly string[] = this.argv): Promise<CommandInput> {
    const { args, argv, flags } = await this.parse(this.class, words)
    let input = toCommandInput({ args, argv: argv.map(String), flags })
    this.flags = input.flags
    if (hasShortIds(input)) {
      input = await expandShortIds(input, this.client())
      this.flags = input.flags
    }
    validateFieldPaths(listFlagValues(input.flags['field']))
    if (isStdoutTerminal()) this.textOutput = await import('../views/text-view.ts')
    return input
  }

  /**
   * Returns a client for the API that the flags, environment variables, profile or local daemon select. With
   * `--dry-run`, the client throws an error instead of sending a change.
   */
  protected client(
    options: Pick<ClientOptions, 'timeoutMs' | 'isConnectionKept' | 'idempotencyKey'> = {},
  ): Client {
    const onServerTime = (seconds: number) => {
      this.serverTime = seconds
    }
    const config = { ...this.connection(), idempotencyKey: findIdempotencyKey(this.flags) }
    const client = createClient({ ...config, onWarning: printWarning, ...options, onServerTime })
    return this.flags['dry-run'] === true ? createDryRunClient(client, config) : client
  }

  /** Returns the base URL and key of the API, for requests that do not use the client. */
  protected connection(): ServerConnection {
    return resolveConnectionConfig(this.flags, process.env)
  }

  /** Prints a response to stdout in the requested form. On a terminal, `note` is printed to stderr. */
  protected print(response: object, note?: () => string | null): void {
    const options = this.viewOptions()
    if (options === null) printJsonOrFields(response, this.flags, note)
    else this.textOutput?.printResponseText(response, options, note)
  }

  /** Prints a response as `print` does. In text output, the method first reads the name of the customer. */
  protected async printWithCustomer(
    response: object,
    client: Client,
    note?: () => string | null,
  ): Promise<void> {
    const options = this.viewOptions()
    if (options === null) return this.print(response, note)
    const { readCustomerNames } = await import('../request/customer-name.ts')
    const names = await readCustomerNames(client, response)
    this.textOutput?.printResponseText(response, { ...options, names }, note)
  }

  /** Prints a response with the given text view or as data. On a terminal, `note` is printed to stderr. */
  protected printView(
    response: object,
    view: (style: Style, options: ViewOptions) => string | RenderedText,
    note?: () => string | null,
  ): void {
    const options = this.viewOptions()
    if (options === null) printJsonOrFields(response, this.flags)
    else this.textOutput?.printView(view(options.style, options), options, note)
  }

  /** Returns whether the output is text for a terminal rather than JSON or field values. */
  protected isTextOutput(): boolean {
    return this.viewOptions() !== null
  }

  /** Returns the options of the text output, or null when responses are printed as data. */
  private viewOptions(): ViewOptions | null {
    const form = getOutputSettings(this.flags)
    if (this.textOutput === null || form.format === 'json' || form.fields.length > 0) return null
    return this.textOutput.createViewOptions(form, {
      now: this.serverTime,
      sandbox: findSandboxToSuggest(this.flags, process.env),
    })
  }

  /** Prints one entry of a stream: its text view on a terminal, otherwise one line of JSON. */
  protected printEntry(entry: object, view: (style: Style) => string): void {
    const form = getOutputSettings(this.flags)
    if (form.fields.length > 0) writeToStdout(renderStreamEntryFields(entry, form.fields))
    else writeToStdout(form.format === 'text' ? view(form.style) : renderJsonLine(entry))
  }
}
