import { toExamples } from '../../src/cli/command/base-command.ts'
import { ConfigCommand } from '../../src/cli/command/config-command.ts'
import { readProfiles } from '../../src/cli/service/profiles.ts'

const VISIBLE_KEY_CHARACTERS = 4

export default class ConfigList extends ConfigCommand {
  static override summary = 'List profiles, with masked keys'
  static override aliases = ['config:ls']
  static override examples = toExamples(['', '--json'])

  override async run(): Promise<void> {
    await this.readInput()
    const { profile, profiles } = readProfiles(process.env)
    const shown = Object.entries(profiles).map(([name, { api_base = null, api_key }]) => [
      name,
      { api_base, api_key: api_key === undefined ? null : `…${api_key.slice(-VISIBLE_KEY_CHARACTERS)}` },
    ])
    this.print({ profile, profiles: Object.fromEntries(shown) })
  }
}
