import { ConfigCommand, PROFILE, settingOf } from '../../src/cli/command/config-command.ts'
import { UsageError } from '../../src/cli/errors/usage-error.ts'
import { printNote, renderText } from '../../src/cli/output/output.ts'
import { readBody } from '../../src/cli/parse/body-input.ts'
import { word } from '../../src/cli/parse/options.ts'
import { refuseLiveKey } from '../../src/cli/serve/serve-flags.ts'
import { readConfig } from '../../src/cli/service/config.ts'
import { findProfile, profilesFile, readProfiles, withField } from '../../src/cli/service/profiles.ts'
import { writeProfiles } from '../../src/cli/service/profiles-file.ts'

export default class ConfigSet extends ConfigCommand {
  static override summary = 'Sets where a service is, the key that opens it, or the profile in use.'
  static override description =
    'An empty value takes the setting out. A profile is made by setting something of it.'
  static override args = {
    setting: word({ description: 'api_base, api_key or profile.', required: true }),
    value: word({
      description: 'What it is from now on; a key is read from standard input for -.',
      required: true,
    }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> api_base https://pay.example.com --profile staging',
    '<%= config.bin %> <%= command.id %> api_key paysk_test_… --profile staging',
    '<%= config.bin %> <%= command.id %> profile staging',
  ]

  override async run(): Promise<void> {
    const { words, flags } = await this.given()
    const [named, given = ''] = words
    const setting = settingOf(named)
    const value = setting === 'api_key' && given === '-' ? await keyFromStdin() : given
    const before = readProfiles(process.env)
    const name = typeof flags['profile'] === 'string' ? flags['profile'] : before.profile
    if (setting === PROFILE) {
      findProfile(process.env, value)
      await writeProfiles(process.env, { ...before, profile: value })
    } else {
      const noFiles = { findDaemon: () => null, profileOf: () => ({}) }
      if (setting === 'api_key') refuseLiveKey(value, 'value')
      const flag = setting === 'api_base' ? 'api-base' : 'api-key'
      readConfig({ [flag]: value }, {}, noFiles)
      await writeProfiles(process.env, withField(before, name, { field: setting, value }))
    }
    printNote(
      renderText(
        `Set ${setting}${setting === PROFILE ? '' : ` of profile '${name}'`} in ${profilesFile(process.env)}`,
      ),
    )
  }
}

// On the command line other users of the machine could read it.
async function keyFromStdin(): Promise<string> {
  const key = (await readBody('-')).replace(/\r?\n$/, '')
  if (key !== '') return key
  throw new UsageError('argument_invalid', 'Standard input is empty, so no key was set.', {
    param: 'value',
    hint: "Give the key there, or take it out: paycli config set api_key ''",
  })
}
