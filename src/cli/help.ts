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

/** The help of one command. */
export default class CommandsHelp extends Help {
  protected override CommandHelpClass = PlainHelp
}
