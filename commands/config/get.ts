import { toExamples } from '../../src/cli/command/base-command.ts'
import { ConfigCommand, PROFILE_SETTING, parseSettingName } from '../../src/cli/command/config-command.ts'
import { UsageError } from '../../src/cli/errors/usage-error.ts'
import { writeTextToStdout } from '../../src/cli/output/output.ts'
import { textArg } from '../../src/cli/parse/flag-builders.ts'
import { findFlagText } from '../../src/cli/parse/params.ts'
import { readProfile, readProfiles } from '../../src/cli/service/profiles.ts'

export default class ConfigGet extends ConfigCommand {
  static override summary = 'Print a setting of a profile'
  static override args = {
    setting: textArg({ description: 'Setting: api_base, api_key or profile.', required: true }),
  }
  static override examples = toExamples(['api_base', 'api_key --profile staging'])

  override async run(): Promise<void> {
    const { words, flags } = await this.readInput()
    const setting = parseSettingName(words[0])
    const name = findFlagText(flags['profile']) ?? readProfiles(process.env).profile
    const profile = readProfile(process.env, name)
    const value = setting === PROFILE_SETTING ? name : profile[setting]
    if (value === undefined) {
      throw new UsageError('setting_missing', `Profile '${name}' has no ${setting}.`, {
        hint: `Set it: paycli config set ${setting} <value> --profile ${name}`,
      })
    }
    if (flags['json'] === true) this.print({ [setting]: value })
    else writeTextToStdout(`${value}\n`)
  }
}
