import { BaseCommand } from '../src/cli/command/base-command.ts'
import { UsageError } from '../src/cli/errors/usage-error.ts'
import { COMPLETION_SCRIPTS } from '../src/cli/launch/completion.ts'
import { writeToStdout } from '../src/cli/output/output.ts'
import { textArg } from '../src/cli/parse/flag-builders.ts'

const SHELLS = [...COMPLETION_SCRIPTS.keys()].join(', ')

export default class Completion extends BaseCommand {
  static override summary = 'Print the completion script of a shell'
  static override aliases = ['autocomplete']
  static override description =
    "Completes commands, flags and flag values of paycli on the PATH, not of npx paycli. In a clone, npm link puts paycli on the PATH. Add the script to the shell's startup file: paycli completion bash >> ~/.bashrc"
  static override baseFlags = {}
  static override args = { shell: textArg({ description: `Shell: ${SHELLS}.`, required: true }) }
  static override examples = [
    'source <(<%= config.bin %> <%= command.id %> bash)',
    'source <(<%= config.bin %> <%= command.id %> zsh)',
    '<%= config.bin %> <%= command.id %> fish > ~/.config/fish/completions/paycli.fish',
  ]

  override async run(): Promise<void> {
    const { argv } = await this.parse(Completion)
    const script = COMPLETION_SCRIPTS.get(String(argv[0]))
    if (script === undefined) {
      throw new UsageError('argument_invalid', `Unknown shell '${argv[0]}'.`, {
        hint: `Supported shells: ${SHELLS}`,
      })
    }
    writeToStdout(script)
  }
}
