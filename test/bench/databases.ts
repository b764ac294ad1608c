import { rmSync } from 'node:fs'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordMix } from './records.ts'
import { startRole } from './role-process.ts'

const DATABASE = 'paycli.json'

/** The files of the records: a snapshot, or a journal only. */
export type DatabaseShape = 'snapshot' | 'journal'

export interface SeedOptions {
  readonly shape: DatabaseShape
  readonly size: number
  readonly blend?: RecordMix
}

/** The database of one measurement. */
export interface DatabaseFolder {
  readonly folder: string
  readonly file: string
}

/** Temporary databases. Each set of records is created once and copied for each measurement. */
export interface Databases {
  empty(): Promise<DatabaseFolder>
  seeded(options: SeedOptions): Promise<DatabaseFolder>
  release(place: DatabaseFolder): Promise<void>
  /** Removes all databases synchronously. */
  clear(): void
}

/** Opens temporary databases in a folder, which must be on the disk to be measured. */
export async function openDatabases(below = tmpdir()): Promise<Databases> {
  const root = await mkdtemp(join(below, 'paycli-bench-'))
  const seeds = new Map<string, Promise<DatabaseFolder>>()

  async function empty(): Promise<DatabaseFolder> {
    const folder = await mkdtemp(join(root, 'place-'))
    return { folder, file: join(folder, DATABASE) }
  }

  async function make({ shape, size, blend = 'customers' }: SeedOptions): Promise<DatabaseFolder> {
    const place = await empty()
    const seeder = await startRole('seeder', {})
    await seeder.call(shape, { file: place.file, size, blend })
    await seeder.kill()
    return place
  }

  function seed(options: SeedOptions): Promise<DatabaseFolder> {
    const name = `${options.shape} ${options.size} ${options.blend}`
    const known = seeds.get(name) ?? make(options)
    seeds.set(name, known)
    return known
  }

  async function lend(options: SeedOptions): Promise<DatabaseFolder> {
    const made = await seed(options)
    const place = await empty()
    for (const name of await readdir(made.folder)) {
      const [from, to] = [join(made.folder, name), join(place.folder, name)]
      if (name === DATABASE || name.includes('.journal-')) await cp(from, to)
    }
    return place
  }

  return {
    empty,
    seeded: lend,
    release: ({ folder }) => rm(folder, { recursive: true, force: true }),
    clear: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}
