import { toExamples } from '../../src/cli/command/base-command.ts'
import { ConfigCommand } from '../../src/cli/command/config-command.ts'
import { writeTextToStdout } from '../../src/cli/output/output.ts'
import { getProfilesPath } from '../../src/cli/service/profiles.ts'

export default class ConfigPath extends ConfigCommand {
  static override summary = 'Print the path of the profiles file'
  static override examples = toExamples([''])

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const path = getProfilesPath(process.env)
    if (flags['json'] === true) this.print({ path })
    else writeTextToStdout(`${path}\n`)
  }
}
