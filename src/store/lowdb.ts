import { readFile } from 'node:fs/promises'
import { type Adapter, Low } from 'lowdb'
import type { Stored } from '../domain/changes.ts'
import { COLLECTION_NAMES, COLLECTIONS, type Collection } from './collections.ts'
import { makePrivateFolder, refuseSymlink, replaceFile } from './private-file.ts'
import { type AppliedBatch, createRecordStore, type Durability } from './record-store.ts'
import { Records } from './records.ts'
import type { Store } from './store.ts'

const FORMAT = 1

type Snapshot = { meta: { format: number; sequence: number } } & { [C in Collection]?: Stored[] }

export interface LowdbOptions {
  /** Path of the JSON file; made with its folder when missing. */
  readonly file: string
  /** Makes unguessable names for temporary files. */
  readonly newSuffix: () => string
}

/**
 * The default store: one JSON file that lowdb itself can read, replaced as a whole at each commit. Commits that come in
 * while a write is under way share the next one.
 */
export async function openLowdbStore(options: LowdbOptions): Promise<Store> {
  await makePrivateFolder(options.file)
  const db = new Low<Snapshot>(createAdapter(options), { meta: { format: FORMAT, sequence: 0 } })
  await db.read()
  const records = loadRecords(db.data, options.file)
  return createRecordStore(records, createWholeFileDurability(db, records))
}

function createAdapter({ file, newSuffix }: LowdbOptions): Adapter<Snapshot> {
  return {
    async read() {
      await refuseSymlink(file)
      return parse(await readText(file), file)
    },
    async write(snapshot) {
      await refuseSymlink(file)
      await replaceFile(file, `${stringify(snapshot)}\n`, newSuffix())
    },
  }
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

function parse(text: string | null, file: string): Snapshot | null {
  if (text === null) return null
  try {
    // Never null, which lowdb would take for a new file.
    return Object(JSON.parse(text)) as Snapshot
  } catch {
    throw new Error(
      `${file} is not valid JSON, so it is left as it is. Restore it from a copy, or name another file with --db.`,
    )
  }
}

// One record per line, so that a diff of two snapshots can be read.
function stringify(snapshot: Snapshot): string {
  const collections = COLLECTION_NAMES.map((name) => {
    const lines = (snapshot[name] ?? []).map((record) => JSON.stringify(record))
    return `${JSON.stringify(name)}:[${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n`}]`
  })
  return `{${[`"meta":${JSON.stringify(snapshot.meta)}`, ...collections].join(',\n')}}`
}

function loadRecords(snapshot: Snapshot, file: string): Records {
  if (snapshot.meta?.format !== FORMAT) {
    throw new Error(`${file} is not a paycli database of format ${FORMAT}. Name another file with --db.`)
  }
  // The next write would lose it.
  const unknown = Object.keys(snapshot).find((name) => name !== 'meta' && !Object.hasOwn(COLLECTIONS, name))
  if (unknown !== undefined) {
    throw new Error(
      `${file} holds '${unknown}', which this version of paycli does not know. Use the version that wrote it, or name another file with --db.`,
    )
  }
  const records = new Records()
  try {
    for (const name of COLLECTION_NAMES) {
      for (const record of snapshot[name] ?? []) records.put(record)
    }
  } catch (cause) {
    throw new Error(
      `${file} holds records that are not as paycli wrote them, so it is left as it is. Restore it from a copy, or name another file with --db.`,
      { cause },
    )
  }
  records.resumeSequence(snapshot.meta.sequence)
  return records
}

function takeSnapshot(records: Records): Snapshot {
  const collections = COLLECTION_NAMES.map((name) => [name, [...records.all(name)]])
  return { meta: { format: FORMAT, sequence: records.sequence }, ...Object.fromEntries(collections) }
}

/** The transactions that share one write; `failure` is why the write before it failed and took them along. */
interface Round {
  readonly batches: AppliedBatch[]
  readonly done: Promise<void>
  failure: { readonly error: unknown } | null
}

function createWholeFileDurability(db: Low<Snapshot>, records: Records): Durability {
  let collecting: Round | null = null
  // When the newest of what is visible is on disk; never a promise whose failure is already undone.
  let newest: Promise<void> = Promise.resolve()
  let idle: Promise<unknown> = Promise.resolve()

  function startRound(): Round {
    const done: Promise<void> = idle.then(() => write(round))
    const round: Round = { batches: [], done, failure: null }
    idle = done.catch(() => undefined)
    newest = done
    return round
  }

  async function write(round: Round): Promise<void> {
    if (round.failure) throw round.failure.error
    collecting = null
    db.data = takeSnapshot(records)
    try {
      await db.write()
    } catch (error) {
      takeBack(round, error)
      throw error
    }
  }

  // What came in meanwhile was decided on what is undone now, so it goes too.
  function takeBack(round: Round, error: unknown): void {
    const later = collecting
    for (const { undo } of [...round.batches, ...(later?.batches ?? [])].reverse()) undo()
    if (later) later.failure = { error }
    collecting = null
    newest = Promise.resolve()
  }

  return {
    persist(batch) {
      if (batch.writes.length === 0) return newest
      collecting ??= startRound()
      collecting.batches.push(batch)
      return collecting.done
    },
    settled: () =>
      newest.then(
        () => true,
        () => false,
      ),
    async close() {
      await idle
    },
  }
}
