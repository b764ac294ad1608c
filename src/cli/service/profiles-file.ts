import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { userHome } from './home.ts'
import { writeOwnFile } from './own-file.ts'
import type { Profiles } from './profiles.ts'

const OWNERS_FOLDER = 0o700

/** Writes the profiles in one step to a file that only its owner may read: it holds keys. */
export async function writeProfiles(
  env: Readonly<Record<string, string | undefined>>,
  profiles: Profiles,
): Promise<void> {
  const file = join(userHome(env), 'config.json')
  await mkdir(dirname(file), { recursive: true, mode: OWNERS_FOLDER })
  await writeOwnFile(file, `${JSON.stringify(profiles, null, 2)}\n`)
}
