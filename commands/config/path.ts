import { ConfigCommand } from '../../src/cli/command/config-command.ts'
import { printData, renderText } from '../../src/cli/output/output.ts'
import { profilesFile } from '../../src/cli/service/profiles.ts'

export default class ConfigPath extends ConfigCommand {
  static override summary = 'Prints where the profiles are kept.'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  override async run(): Promise<void> {
    const { flags } = await this.given()
    const path = profilesFile(process.env)
    if (flags['json'] === true) this.print({ path })
    else printData(renderText(`${path}\n`))
  }
}
