import type { FlagInput } from '@oclif/core/interfaces'
import { UsageError } from '../errors/usage-error.ts'
import { string } from '../parse/options.ts'
import type { FlagValues } from '../parse/params.ts'
import { findProfile, PROFILE_FIELDS, type Profile, readProfiles } from '../service/profiles.ts'
import { BaseCommand } from './base-command.ts'

/** The name under which the profile itself is set. */
export const PROFILE = 'profile'

/** What can be set: a field of a profile, or which profile is used. */
export type Setting = (typeof PROFILE_FIELDS)[number] | typeof PROFILE

/** The commands that read and write profiles; they talk to no service. */
export abstract class ConfigCommand extends BaseCommand {
  static override baseFlags: FlagInput = {
    ...Object.fromEntries(['json', 'field', 'color'].map((name) => [name, BaseCommand.baseFlags[name]])),
    profile: string({
      description: 'The profile that is meant; the one in use unless given.',
      helpValue: '<name>',
      env: 'PAYCLI_PROFILE',
      helpGroup: 'GLOBAL',
    }),
  } as FlagInput
}

/** Reads the name of a setting. */
export function settingOf(text: string | undefined): Setting {
  const found = [...PROFILE_FIELDS, PROFILE].find((name) => name === text?.replaceAll('-', '_'))
  if (found !== undefined) return found as Setting
  throw new UsageError('argument_invalid', `There is no setting '${text ?? ''}'.`, {
    hint: `There are: ${[...PROFILE_FIELDS, PROFILE].join(', ')}`,
  })
}

/** The profile that flags or the file name, with its name. */
export function chosenProfile({ profile: named }: FlagValues): {
  readonly name: string
  readonly profile: Profile
} {
  const name = typeof named === 'string' && named !== '' ? named : readProfiles(process.env).profile
  return { name, profile: findProfile(process.env, name) }
}
