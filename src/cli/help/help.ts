import { type Command, CommandHelp, Help } from '@oclif/core'

/** Command help with a short usage line such as `paycli state copy <from> <to> [flags]`. */
class PlainHelp extends CommandHelp {
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
}

function isAlias({ id, aliases }: Command.Loadable): boolean {
  return aliases.includes(id)
}

/** The help of oclif. For an unknown command it runs the `command_not_found` hook, as without a help flag. */
export default class CommandsHelp extends Help {
  protected override CommandHelpClass = PlainHelp

  // oclif lists no aliases. One whose command is not in the same list, such as `checkout open`, would then be listed nowhere.
  protected override formatCommands(commands: Command.Loadable[]): string {
    const listed = new Set(commands.filter((one) => !isAlias(one)).map(({ summary }) => summary))
    const isMissing = (one: Command.Loadable) => isAlias(one) && !listed.has(one.summary)
    return super.formatCommands(commands.map((one) => (isMissing(one) ? { ...one, aliases: [] } : one)))
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
