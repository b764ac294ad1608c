import type { FlagInput } from '@oclif/core/interfaces'
import { findNearestName } from '../../api/schema/spelling.ts'
import { UsageError } from '../errors/usage-error.ts'
import { string } from '../parse/flag-builders.ts'
import { PROFILE_FIELDS } from '../service/profiles.ts'
import { BaseCommand, outputFlags } from './base-command.ts'

/** The setting that selects the profile in use. */
export const PROFILE_SETTING = 'profile' as const

/** Base class of the commands that read and write profiles, which send no request. */
export abstract class ConfigCommand extends BaseCommand {
  static override baseFlags: FlagInput = {
    ...outputFlags,
    profile: string({
      description: 'Name of the profile (default: the profile in use).',
      helpValue: '<name>',
      env: 'PAYCLI_PROFILE',
      helpGroup: 'GLOBAL',
    }),
  }
}

/** Returns the setting with the given name: a profile field or `profile`. Dashes and underscores are equal. */
export function parseSettingName(text: string | undefined) {
  const found = [...PROFILE_FIELDS, PROFILE_SETTING].find((name) => name === text?.replaceAll('-', '_'))
  if (found !== undefined) return found
  const names = [...PROFILE_FIELDS, PROFILE_SETTING]
  const nearest = findNearestName(text ?? '', names)
  throw new UsageError('argument_invalid', `Unknown setting '${text ?? ''}'.`, {
    hint: nearest === null ? `Settings: ${names.join(', ')}` : `Did you mean ${nearest}?`,
  })
}
