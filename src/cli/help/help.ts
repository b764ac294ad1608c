import { type Command, CommandHelp, Help } from '@oclif/core'
import { wrapWords } from '../../domain/text/wrap-words.ts'
import { replaceProgramName } from '../output/program-name.ts'
import { wrapNote } from '../output/text-layout.ts'
import { printOverview } from './root-help.ts'

/** A longer list of values is printed once per help page, at the first flag with these values. */
const MAX_REPEATED_OPTIONS = 8

const EXAMPLE_START = '$ '

type ListOptions = Parameters<CommandHelp['renderList']>[1]

/** Command help with a short usage line such as `paycli state copy <from> <to> [flags]`. */
class PlainHelp extends CommandHelp {
  // The program name is replaced before wrapping, because `npx paycli` is longer and would not be found across a line
  // break.
  override wrap(body: string, spacing?: number): string {
    return super.wrap(replaceProgramName(this.render(body)), spacing)
  }

  // oclif wraps a long list for an indentation of four columns, but indents it by six.
  override renderList(input: Parameters<CommandHelp['renderList']>[0], opts: ListOptions): string {
    return super.renderList(input, { ...opts, indentation: opts.indentation + this.indentSpacing })
  }

  // oclif indents flags without a letter, but then trims the first line.
  protected override flagHelpLabel(flag: Command.Flag.Any, showOptions?: boolean): string {
    const label = super.flagHelpLabel(flag, showOptions)
    return flag.char === undefined ? label.replace(' '.repeat(4), '') : label
  }

  protected override defaultUsage(): string {
    const { id, args, flags } = this.command
    const words = Object.values(args)
      .filter(({ hidden }) => hidden !== true)
      .map(({ name, required }) => (required === true ? `<${name}>` : `[${name}]`))
    return [id, ...words, ...(Object.keys(flags).length > 0 ? ['[flags]'] : [])].join(' ')
  }

  protected override description(): string | undefined {
    const name = canonicalName(this.command, this.config.commands)
    const texts = [
      ...(name === null ? [] : [`Same as paycli ${name}.`]),
      ...(this.command.description === undefined ? [] : [this.command.description]),
    ]
    return texts.length === 0 ? undefined : this.wrap(texts.join('\n\n'))
  }

  // oclif does not wrap examples.
  protected override examples(examples: Command.Example[] | undefined): string | undefined {
    const width = this.opts.maxWidth - this.indentSpacing - EXAMPLE_START.length
    const commands = examples?.map((one) => wrapNote(replaceProgramName(this.render(String(one))), width))
    return commands?.map((command) => EXAMPLE_START + command).join('\n\n')
  }

  // oclif adds an ellipsis to every argument of a command that takes words after `--`.
  protected override args(args: Command.Arg.Any[]): [string, string | undefined][] | undefined {
    return super.args(args)?.map(([name, what]) => [name.replace('...', ''), what])
  }

  protected override aliases(aliases: string[] | undefined): string | undefined {
    return super.aliases(aliases?.filter((alias) => alias !== this.command.id))
  }

  protected override flags(flags: Command.Flag.Any[]): [string, string | undefined][] | undefined {
    const listedAt = new Map<string, string>()
    return super.flags(
      flags.map((flag) => {
        if (flag.type !== 'option' || (flag.options ?? []).length <= MAX_REPEATED_OPTIONS) return flag
        const { options = [], ...others } = flag
        const values = options.join(', ')
        const first = listedAt.get(values)
        listedAt.set(values, first ?? flag.name)
        const note = first === undefined ? `\nValues: ${values}.` : ` Values as for --${first}.`
        return { ...others, description: `${flag.description ?? ''}${note}` }
      }),
    )
  }

  // The overview explains the global flags, so that each command needs only three lines for them.
  override section(header: string, body: Parameters<CommandHelp['section']>[1]): string {
    if (header !== 'GLOBAL FLAGS' || !Array.isArray(body)) return super.section(header, body)
    const labels = body.map((row) => String(Array.isArray(row) ? row[0] : row.name))
    const lines = wrapWords(labels, '  ', this.opts.maxWidth - 2 * this.indentSpacing)
    return super.section(header, [...lines, 'See paycli help for their descriptions.'].join('\n'))
  }
}

function isAlias({ id, aliases }: Command.Loadable): boolean {
  return aliases.includes(id)
}

/** Returns the name of the command behind an alias, or null if the command is not an alias. */
function canonicalName(command: Command.Loadable, commands: readonly Command.Loadable[]): string | null {
  if (!isAlias(command)) return null
  const id = command.id.replaceAll(' ', ':')
  const found = commands.find((one) => !isAlias(one) && one.aliases.includes(id))
  return found?.id.replaceAll(':', ' ') ?? null
}

/**
 * The help of oclif with the changes of `PlainHelp`. For an unknown command, the class runs the `command_not_found`
 * hook, as without a help flag.
 */
export default class CommandsHelp extends Help {
  protected override CommandHelpClass = PlainHelp

  // oclif omits aliases from lists. Add an alias such as `checkout open`, because its command is in another list.
  protected override formatCommands(commands: Command.Loadable[]): string {
    const listed = new Set(commands.filter((one) => !isAlias(one)).map(({ summary }) => summary))
    const isMissing = (one: Command.Loadable) => isAlias(one) && !listed.has(one.summary)
    return super.formatCommands(
      commands.map((one) => {
        if (!isMissing(one)) return one
        const name = canonicalName(one, this.config.commands)
        return { ...one, aliases: [], summary: `${one.summary} (same as ${name})` }
      }),
    )
  }

  protected override log(...args: string[]): void {
    super.log(...args.map((text) => replaceProgramName(text)))
  }

  protected override async showRootHelp(): Promise<void> {
    const { commands, topics, pjson, version } = this.config
    printOverview({
      description: pjson.description ?? '',
      version,
      topics: Object.fromEntries(topics.map(({ name, description = '' }) => [name, { description }])),
      commands,
    })
  }

  override async showHelp(argv: string[]): Promise<void> {
    const { config } = this
    const { getHelpFlagAdditions, normalizeArgv } = await import('@oclif/core/help')
    const helpWords = ['help', ...getHelpFlagAdditions(config)]
    const [id, ...rest] = normalizeArgv(
      config,
      argv.filter((word) => !helpWords.includes(word)),
    )
    const isKnown = id === undefined || id.startsWith('-') || config.findCommand(id) || config.findTopic(id)
    if (isKnown) return super.showHelp(argv)
    await config.runHook('command_not_found', { id, argv: rest })
  }
}
