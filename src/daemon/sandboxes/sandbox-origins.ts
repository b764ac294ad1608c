import type { Sandbox } from '../../domain/sandboxes/sandboxes.ts'
import { EMPTY_CONTENTS, KEPT_BY_RESET, type KeptRecords } from '../../engine/sandbox-copies.ts'
import type { Database, SandboxPlace } from '../../store/port/database.ts'
import type { StoreContents } from '../../store/port/store.ts'

/** The initial contents of copied sandboxes, which a reset restores. */
export interface SandboxOrigins {
  readonly keep: (sandbox: Sandbox, contents: StoreContents) => Promise<void>
  /** `requireFit` rejects unless the contents in a file fit into the memory. */
  readonly load: (
    sandbox: Sandbox,
    requireFit: (sandbox: string, file: string) => Promise<void>,
  ) => Promise<StoreContents>
  readonly remove: (sandbox: Sandbox) => Promise<void>
}

/** Creates the origins of the sandboxes of a database. Origins in memory share their immutable records. */
export function createSandboxOrigins(database: Database): SandboxOrigins {
  const inMemory = new Map<string, StoreContents>()
  const placeOf = ({ id, storage }: Sandbox): SandboxPlace => ({ id: `${id}-origin`, storage })
  return {
    async keep(sandbox, contents) {
      if (sandbox.storage === 'memory') inMemory.set(sandbox.id, contents)
      else await database.writeSandbox(placeOf(sandbox), contents)
    },
    async load(sandbox, requireFit) {
      if (sandbox.from === null) return EMPTY_CONTENTS
      const kept = inMemory.get(sandbox.id)
      if (kept !== undefined) return kept
      const place = placeOf(sandbox)
      await requireFit(sandbox.id, place.id)
      return captureClosed(database, place)
    },
    async remove(sandbox) {
      inMemory.delete(sandbox.id)
      if (sandbox.storage === 'durable' && sandbox.from !== null) {
        await database.deleteSandbox(placeOf(sandbox))
      }
    },
  }
}

/** Resolves with the records that a reset keeps. From files, it loads no other records. */
export async function readKeptRecords(
  { files, openSandbox }: Database,
  place: SandboxPlace,
): Promise<KeptRecords> {
  if (files !== undefined && place.storage === 'durable')
    return files.readCollections(place.id, KEPT_BY_RESET)
  const store = await openSandbox(place)
  try {
    const kept = KEPT_BY_RESET.map(async (name) => [
      name,
      await store.listOldest(name, Number.MAX_SAFE_INTEGER),
    ])
    return Object.fromEntries(await Promise.all(kept))
  } finally {
    await store.close()
  }
}

async function captureClosed(database: Database, place: SandboxPlace): Promise<StoreContents> {
  const store = await database.openSandbox(place)
  try {
    return await store.capture()
  } finally {
    await store.close()
  }
}
