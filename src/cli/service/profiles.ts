import { type Fields, isFields } from '../../client/fields.ts'
import { UsageError } from '../errors/usage-error.ts'
import { pathToRead } from './home.ts'
import { readOwnFile } from './own-file.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Where one service is, and the key that opens it. */
export interface Profile {
  readonly api_base?: string
  readonly api_key?: string
}

/** What `paycli config` keeps: profiles by name, and the one that is used unless another is named. */
export interface Profiles {
  readonly profile: string
  readonly profiles: Readonly<Record<string, Profile>>
}

/** The profile that is used when none was ever named; it need not be there. */
export const DEFAULT_PROFILE = 'default'

/** The file in which this user's profiles are; to write them, use `writeProfiles`. */
export function profilesFile(env: Env): string {
  return pathToRead(env, 'config.json')
}

/** Reads the profiles; none without the file, and one that is damaged is refused. */
export function readProfiles(env: Env): Profiles {
  const file = profilesFile(env)
  const text = textOf(file)
  if (text === null) return { profile: DEFAULT_PROFILE, profiles: {} }
  const value = parsed(text)
  if (!isFields(value)) throw damaged(file)
  const { profile, profiles } = value
  const entries = Object.entries(isFields(profiles) ? profiles : {})
  return {
    profile: typeof profile === 'string' ? profile : DEFAULT_PROFILE,
    profiles: Object.fromEntries(entries.map(([name, one]) => [name, asProfile(isFields(one) ? one : {})])),
  }
}

/** The profile of a name, or the one that is used without a name; refuses one that is not there. */
export function findProfile(env: Env, named: string | undefined): Profile {
  const { profile, profiles } = readProfiles(env)
  const name = named ?? profile
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (found !== undefined) return found
  if (name === DEFAULT_PROFILE) return {}
  const names = Object.keys(profiles)
  throw new UsageError('flag_invalid', `There is no profile '${name}'.`, {
    param: 'profile',
    hint:
      names.length === 0
        ? `Make it: paycli config set api_base <url> --profile ${name}`
        : `There are: ${names.join(', ')}`,
  })
}

function asProfile({ api_base, api_key }: Fields): Profile {
  return {
    ...(typeof api_base === 'string' ? { api_base } : {}),
    ...(typeof api_key === 'string' ? { api_key } : {}),
  }
}

function textOf(file: string): string | null {
  try {
    return readOwnFile(file)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError('file_invalid', `${file} cannot be read: ${String(error)}.`)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function damaged(file: string): UsageError {
  return new UsageError('file_invalid', `${file} is not a JSON object.`, {
    hint: 'Correct it, or remove it and set what it held: paycli config set api_base <url>',
  })
}

/** What a profile can say, by the names that `paycli config` takes. */
export const PROFILE_FIELDS = ['api_base', 'api_key'] as const

/** The same profiles with one field of one of them set, or taken out when the value is empty. */
export function withField(
  { profile, profiles }: Profiles,
  name: string,
  { field, value }: { readonly field: (typeof PROFILE_FIELDS)[number]; readonly value: string },
): Profiles {
  const { [field]: _before, ...others } = profiles[name] ?? {}
  return { profile, profiles: { ...profiles, [name]: value === '' ? others : { ...others, [field]: value } } }
}
