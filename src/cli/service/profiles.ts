import { isJsonObject, type JsonObject, parseJson } from '../../domain/core/json-object.ts'
import { UsageError } from '../errors/usage-error.ts'
import { getWritableHomeFolder, resolvePathInHome } from './home.ts'
import { readOptionalOwnFileOrUsageError, writePrivateFileOrUsageError } from './user-file.ts'

/** The address and key of an API. */
export interface Profile {
  readonly api_base?: string
  readonly api_key?: string
}

/** The contents of the profiles file: profiles by name, and the name of the profile in use. */
export interface Profiles {
  readonly profile: string
  readonly profiles: Readonly<Record<string, Profile>>
}

/** The name of the profile in use when the file names no profile. This profile need not exist. */
export const DEFAULT_PROFILE = 'default'

/** Returns the path of the profiles file, for reading. */
export function getProfilesPath(env: NodeJS.ProcessEnv): string {
  return resolvePathInHome(env, 'config.json')
}

/** Reads the profiles file. Returns no profiles for a missing file, and throws for a damaged file. */
export function readProfiles(env: NodeJS.ProcessEnv): Profiles {
  const file = getProfilesPath(env)
  const text = readOptionalOwnFileOrUsageError(file)
  if (text === null) return { profile: DEFAULT_PROFILE, profiles: {} }
  const value = parseJson(text)
  if (!isJsonObject(value)) throw damagedFileError(file)
  const { profile, profiles } = value
  const entries = Object.entries(isJsonObject(profiles) ? profiles : {})
  return {
    profile: typeof profile === 'string' ? profile : DEFAULT_PROFILE,
    profiles: Object.fromEntries(
      entries.map(([name, one]) => [name, toProfile(isJsonObject(one) ? one : {})]),
    ),
  }
}

/** Returns the named profile, or the profile in use. Throws for a missing profile; a missing default profile is empty. */
export function readProfile(env: NodeJS.ProcessEnv, profileName: string | undefined): Profile {
  const { profile, profiles } = readProfiles(env)
  const name = profileName ?? profile
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (found !== undefined) return found
  if (name === DEFAULT_PROFILE) return {}
  const names = [DEFAULT_PROFILE, ...Object.keys(profiles).filter((one) => one !== DEFAULT_PROFILE)]
  throw new UsageError('flag_invalid', `Profile '${name}' does not exist.`, {
    param: 'profile',
    hint:
      names.length === 1
        ? `Create the profile: paycli config set api_base https://pay.example.com --profile ${name}`
        : `Profiles: ${names.join(', ')}`,
  })
}

function toProfile({ api_base, api_key }: JsonObject): Profile {
  return {
    ...(typeof api_base === 'string' ? { api_base } : {}),
    ...(typeof api_key === 'string' ? { api_key } : {}),
  }
}

function damagedFileError(file: string): UsageError {
  return new UsageError('file_invalid', `${file} is not a JSON object.`, {
    hint: 'Correct the file, or delete it and create it again: paycli config set api_base <url>',
  })
}

/** The fields of a profile, by the names that `paycli config` uses. */
export const PROFILE_FIELDS = ['api_base', 'api_key'] as const

/** Returns the profiles with one field of a profile set, or removed when the value is empty. */
export function withProfileField(
  { profile, profiles }: Profiles,
  name: string,
  field: (typeof PROFILE_FIELDS)[number],
  value: string,
): Profiles {
  const { [field]: _removed, ...others } = profiles[name] ?? {}
  return { profile, profiles: { ...profiles, [name]: value === '' ? others : { ...others, [field]: value } } }
}

/** Replaces the profiles file atomically. Only the owner can read the file, because it contains keys. */
export async function writeProfiles(env: NodeJS.ProcessEnv, profiles: Profiles): Promise<void> {
  const folder = getWritableHomeFolder(env)
  process.getBuiltinModule('node:fs').mkdirSync(folder, { recursive: true, mode: 0o700 })
  await writePrivateFileOrUsageError(`${folder}/config.json`, `${JSON.stringify(profiles, null, 2)}\n`)
}
