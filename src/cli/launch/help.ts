import { type Command, CommandHelp, Help } from '@oclif/core'

/** Says how a command is called as the reference does, because each flag has its own line below. */
class PlainHelp extends CommandHelp {
  // oclif indents flags without a letter, and then takes that away from the first of them.
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

/** The help of one command; of one that is not there, what its misspelt name is told without asking for help. */
export default class CommandsHelp extends Help {
  protected override CommandHelpClass = PlainHelp

  override async showHelp(argv: string[]): Promise<void> {
    const { config } = this
    const { getHelpFlagAdditions, normalizeArgv } = await import('@oclif/core/help')
    const asking = ['help', ...getHelpFlagAdditions(config)]
    const [id, ...rest] = normalizeArgv(
      config,
      argv.filter((word) => !asking.includes(word)),
    )
    const isThere = id === undefined || id.startsWith('-') || config.findCommand(id) || config.findTopic(id)
    if (isThere) return super.showHelp(argv)
    await config.runHook('command_not_found', { id, argv: rest })
  }
}
