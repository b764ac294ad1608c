import { ConfigCommand } from '../../src/cli/command/config-command.ts'
import { readProfiles } from '../../src/cli/service/profiles.ts'

const SHOWN_OF_A_KEY = 4

export default class ConfigList extends ConfigCommand {
  static override summary = 'Lists the profiles and the one in use; of keys only the end is shown.'
  static override aliases = ['config:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ]

  override async run(): Promise<void> {
    await this.given()
    const { profile, profiles } = readProfiles(process.env)
    const shown = Object.entries(profiles).map(([name, { api_base = null, api_key }]) => [
      name,
      { api_base, api_key: api_key === undefined ? null : `…${api_key.slice(-SHOWN_OF_A_KEY)}` },
    ])
    this.print({ profile, profiles: Object.fromEntries(shown) })
  }
}
