import { rmSync } from 'node:fs'
import { cp, link, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './child.ts'
import type { Blend } from './records.ts'

const DATABASE = 'paycli.json'

/** How a set of records lies on disk: as a snapshot, as a journal alone, or with a journal almost due to be folded in. */
export type Shape = 'snapshot' | 'journal' | 'almost due'

export interface SeedOptions {
  readonly shape: Shape
  readonly size: number
  readonly blend?: Blend
}

/** Where a database is for one measurement. */
export interface Place {
  readonly folder: string
  readonly file: string
}

/** Temporary folders and the sets of records in them: each set is made once and lent out as a copy. */
export interface Ground {
  empty(): Promise<Place>
  seeded(options: SeedOptions): Promise<Place>
  release(place: Place): Promise<void>
  /** Removes everything, at once. */
  clear(): void
}

/** Opens a ground below the given folder, which should be on the disk that is to be measured. */
export async function openGround(below = tmpdir()): Promise<Ground> {
  const root = await mkdtemp(join(below, 'paycli-bench-'))
  const seeds = new Map<string, Promise<Place>>()

  async function empty(): Promise<Place> {
    const folder = await mkdtemp(join(root, 'place-'))
    return { folder, file: join(folder, DATABASE) }
  }

  async function make({ shape, size, blend = 'customers' }: SeedOptions): Promise<Place> {
    const place = shape === 'almost due' ? await lend({ shape: 'snapshot', size, blend }) : await empty()
    const seeder = await startChild('seeder', {})
    if (shape === 'almost due') await seeder.call('almostDue', place.file)
    else await seeder.call(shape, { file: place.file, size, blend })
    await seeder.kill()
    return place
  }

  function seed(options: SeedOptions): Promise<Place> {
    const name = `${options.shape} ${options.size} ${options.blend}`
    const known = seeds.get(name) ?? make(options)
    seeds.set(name, known)
    return known
  }

  async function lend(options: SeedOptions): Promise<Place> {
    const made = await seed(options)
    const place = await empty()
    await mkdir(place.folder, { recursive: true })
    for (const name of await readdir(made.folder)) {
      const [from, to] = [join(made.folder, name), join(place.folder, name)]
      // A snapshot is only ever replaced as a whole, so every place can share it; a journal is written on.
      if (name === DATABASE) await link(from, to)
      else if (name.includes('.journal-')) await cp(from, to)
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
