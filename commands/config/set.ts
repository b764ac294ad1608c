import { toExamples } from '../../src/cli/command/base-command.ts'
import { ConfigCommand, PROFILE_SETTING, parseSettingName } from '../../src/cli/command/config-command.ts'
import { UsageError } from '../../src/cli/errors/usage-error.ts'
import { printNote } from '../../src/cli/output/output.ts'
import { textArg } from '../../src/cli/parse/flag-builders.ts'
import { readInputFile } from '../../src/cli/parse/input-file.ts'
import { rejectLiveKey } from '../../src/cli/serve/serve-flags.ts'
import { parseApiBase, requirePrintableKey } from '../../src/cli/service/config.ts'
import {
  DEFAULT_PROFILE,
  getProfilesPath,
  readProfile,
  readProfiles,
  withProfileField,
  writeProfiles,
} from '../../src/cli/service/profiles.ts'

export default class ConfigSet extends ConfigCommand {
  static override summary = 'Set an API address, an API key or the profile in use'
  static override description =
    'An empty value removes the setting. Setting a value of an unknown profile creates the profile. To return to the local server: paycli config set profile default'
  static override args = {
    setting: textArg({ description: 'Setting: api_base, api_key or profile.', required: true }),
    value: textArg({
      description: 'New value. With -, the API key is read from standard input.',
      required: true,
    }),
  }
  static override examples = toExamples([
    'api_base https://pay.example.com --profile staging',
    'api_key paysk_test_… --profile staging',
    'profile staging',
  ])

  override async run(): Promise<void> {
    const { words, flags } = await this.readInput()
    const [named, given = ''] = words
    const setting = parseSettingName(named)
    const value = setting === 'api_key' && given === '-' ? await keyFromStdin() : given
    const before = readProfiles(process.env)
    const name = typeof flags['profile'] === 'string' ? flags['profile'] : before.profile
    if (setting === PROFILE_SETTING) {
      const profile = value === '' ? DEFAULT_PROFILE : value
      readProfile(process.env, profile)
      await writeProfiles(process.env, { ...before, profile })
    } else {
      if (setting === 'api_key') rejectLiveKey(value, 'value')
      const validate = setting === 'api_base' ? parseApiBase : requirePrintableKey
      if (value !== '') validate(value)
      await writeProfiles(process.env, withProfileField(before, name, setting, value))
    }
    printNote(
      `Set ${setting}${setting === PROFILE_SETTING ? '' : ` of profile '${name}'`} in ${getProfilesPath(process.env)}`,
    )
  }
}

// Read the key from stdin, because other users of the machine can read the command line.
async function keyFromStdin(): Promise<string> {
  const key = (await readInputFile('-')).toString('utf8').replace(/\r?\n$/, '')
  if (key !== '') return key
  throw new UsageError('argument_invalid', 'No key was set: standard input is empty.', {
    param: 'value',
    hint: "Pipe the key to the command, or remove it: paycli config set api_key ''",
  })
}
