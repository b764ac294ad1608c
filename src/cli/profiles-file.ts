import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Profiles, profilesFile } from './profiles.ts'

const OWNER_ONLY = 0o600
const OWNERS_FOLDER = 0o700

/** Writes the profiles in one step to a file that only its owner may read: it holds keys. */
export function writeProfiles(env: Readonly<Record<string, string | undefined>>, profiles: Profiles): void {
  const file = profilesFile(env)
  mkdirSync(dirname(file), { recursive: true, mode: OWNERS_FOLDER })
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, `${JSON.stringify(profiles, null, 2)}\n`, { mode: OWNER_ONLY, flag: 'w' })
  chmodSync(fresh, OWNER_ONLY)
  renameSync(fresh, file)
}
