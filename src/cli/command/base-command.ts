import type { ArgInput, FlagInput, Input, ParserOutput } from '@oclif/core/interfaces'
import type { Client, ClientOptions } from '../../client/client.ts'
import type { Fields } from '../../client/fields.ts'
import { tellError } from '../output/failure.ts'
import { requirePaths } from '../output/field-path.ts'
import { printData, renderJsonLine } from '../output/output.ts'
import { formOf, printAnswer, renderFields } from '../output/render-response.ts'
import type { Style } from '../output/style.ts'
import { readCommandLine } from '../parse/command-line.ts'
import { boolean, string } from '../parse/options.ts'
import { type FlagValues, textsOf } from '../parse/params.ts'
import { type FlaggedOperation, type Given, givenFrom, sendFromFlags, type Task } from '../request/call.ts'
import { connect } from '../request/connection.ts'
import { type Config, readConfig } from '../service/config.ts'
import { carryOut } from './command-handlers.ts'

const helpGroup = 'GLOBAL'

/** What a command needs to know of the program it belongs to. */
interface Program {
  readonly bin: string
}

/**
 * What all commands that talk to the API share: where it is, how answers and errors are told, exit codes. It is a
 * command to oclif without being oclif's own class, which takes longer to load than everything else together.
 */
export abstract class BaseCommand {
  static id = ''
  static summary: string | undefined
  static description: string | undefined
  static hidden = false
  static aliases: string[] = []
  static examples: string[] = []
  static args: ArgInput = {}
  /** Whether words that no argument names are refused. */
  static strict = true
  /** How the command is written, where its flags and arguments do not tell it all. */
  static usage: string | undefined
  static flags: FlagInput = {}
  /** The one call of a command that makes no other; it is in the manifest, so that such a command needs no class. */
  static call: FlaggedOperation | undefined
  static baseFlags: FlagInput = {
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
    profile: string({
      description: 'The profile of paycli config that says both, for what these flags do not.',
      helpValue: '<name>',
      env: 'PAYCLI_PROFILE',
      helpGroup,
    }),
    color: boolean({
      description: 'Colour or not; NO_COLOR and FORCE_COLOR are heeded.',
      allowNo: true,
      helpGroup,
    }),
  }

  protected readonly argv: readonly string[]
  protected readonly config: Program
  private flags: FlagValues = {}

  constructor(argv: readonly string[], config: Program) {
    this.argv = argv
    this.config = config
  }

  /** Runs the command with these arguments; an error is told and becomes the exit code. */
  static async run<C extends BaseCommand>(
    this: new (
      argv: readonly string[],
      config: Program,
    ) => C,
    argv: readonly string[],
    config: Program,
  ): Promise<void> {
    const command = new this(argv, config)
    try {
      await command.run()
    } catch (error) {
      await command.tell(error)
    }
  }

  /** Makes the one call that the class names, and does what belongs to it. */
  async run(): Promise<void> {
    const { call, id } = this.class
    if (call === undefined) throw new Error(`${id} does nothing`)
    const given = await this.given()
    const print: Task['print'] = (answer, note) => this.print(answer, note)
    await carryOut(id, { call, given, client: this.client(), print })
  }

  private get class(): typeof BaseCommand {
    return Object(this.constructor)
  }

  /** Reads the command line by the flags and arguments of a class. */
  protected async parse<F extends Fields, B extends Fields, A extends Fields>(
    shape: Input<F, B, A>,
    argv: readonly string[] = this.argv,
  ): Promise<ParserOutput<F, B, A>> {
    const { args = {}, strict } = shape
    const flags = { ...shape.baseFlags, ...shape.flags }
    const line: unknown = await readCommandLine({ args, flags, strict }, argv, process.env)
    if (line !== null) return line as ParserOutput<F, B, A>
    const { parse } = await import('@oclif/core/parser')
    return parse([...argv], { ...shape, flags } as Input<F, B, A>)
  }

  /** Reads the command line; call it before anything else. */
  protected async given(words: readonly string[] = this.argv): Promise<Given> {
    const { args, argv, flags } = await this.parse(this.class, words)
    const given = givenFrom({ args, argv: argv.map(String), flags })
    this.flags = given.flags
    requirePaths(textsOf(given.flags['field']))
    return given
  }

  /** Makes the one call of a command that does nothing else, from its flags alone, and prints the answer. */
  protected async callFromFlags(operation: FlaggedOperation): Promise<void> {
    const given = await this.given()
    this.print(await sendFromFlags(operation, given, this.client()))
  }

  /** A client of the API that the flags, the environment or the local daemon name. */
  protected client(limits: Pick<ClientOptions, 'timeoutMs'> = {}): Client {
    return connect(this.flags, limits)
  }

  /** Where the API is that the flags, the environment or the local daemon name, for what is no call. */
  protected connection(): Config {
    return readConfig(this.flags, process.env)
  }

  /** Prints the answer to stdout in the form that was asked for; `note` is for people only, and goes to stderr. */
  protected print(answer: object, note?: () => string | null): void {
    printAnswer(answer, this.flags, note)
  }

  /** The same for an answer that has a view of its own for people. */
  protected printView(answer: object, view: (style: Style) => string): void {
    const form = formOf(this.flags)
    const isView = form.format === 'text' && form.fields.length === 0
    if (isView) printData(view(form.style))
    else printAnswer(answer, this.flags)
  }

  /** One of many answers that come one after the other: a view for people, else one line of JSON each. */
  protected printEntry(answer: object, view: (style: Style) => string): void {
    const form = formOf(this.flags)
    if (form.fields.length > 0) printData(renderFields(answer, form.fields))
    else printData(form.format === 'text' ? view(form.style) : renderJsonLine(answer))
  }

  private tell(error: unknown): Promise<void> {
    const command = `${this.config.bin} ${this.class.id.replaceAll(':', ' ')}`
    const known = Object.keys({ ...this.class.baseFlags, ...this.class.flags })
    return tellError(error, { command, argv: this.argv, known, flags: this.flags })
  }
}
