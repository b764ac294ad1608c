import type { Event } from '../domain/events/events.ts'
import { indexContents } from '../store/memory/index-contents.ts'
import { createMemoryStore } from '../store/memory/memory-store.ts'
import { assignSequenceNumbers, type SequenceHead } from '../store/port/event-sequence.ts'
import type { Commit, Store } from '../store/port/store.ts'
import type { FaultRuleCache } from './fault-rule-cache.ts'
import type { ProjectionRecords } from './load-projection.ts'
import type { Runtime } from './runtime.ts'
import { EMPTY_CONTENTS } from './sandbox-copies.ts'

const NO_FAULTS: FaultRuleCache = {
  has: () => false,
  load: async () => [],
  select: async () => null,
  refresh: async () => {},
}

/** A function that is called with each transaction of a scratch store, in order. */
type OnCommit = (commit: Commit<unknown>, events: readonly Event[]) => void

/**
 * Creates a runtime on a copy of the given records in memory, without faults or other sandboxes. New objects have
 * placeholders as ids.
 */
export async function createScratchRuntime(
  runtime: Runtime,
  records: ProjectionRecords,
  onCommit: OnCommit,
): Promise<Runtime> {
  const { sandboxes: _sandboxes, registry: _registry, ...shared } = runtime
  const counts = new Map<string, number>()
  return {
    ...shared,
    store: await createScratchStore(runtime, records, onCommit),
    faults: NO_FAULTS,
    newId: (prefix) => {
      const count = (counts.get(prefix) ?? 0) + 1
      counts.set(prefix, count)
      return `${prefix}projected_${count}`
    },
  }
}

async function createScratchStore(
  { yieldToEventLoop }: Runtime,
  records: ProjectionRecords,
  onCommit: OnCommit,
): Promise<Store> {
  const contents = { ...EMPTY_CONTENTS, records: { ...EMPTY_CONTENTS.records, ...records } }
  let batches = 0
  // Each call advances the time by a second, so that every batch calls `yieldToEventLoop`, which reads the real clock.
  const monotonicMs = () => {
    batches += 1
    return batches * 1000
  }
  const scheduling = { yieldToEventLoop, monotonicMs }
  const store = createMemoryStore(await indexContents(contents, scheduling), scheduling)
  let head: SequenceHead = { sequence: 0, lastCreated: 0 }
  return {
    ...store,
    async transact(work) {
      const { result } = await store.transact(async (reader) => {
        const commit = await work(reader)
        const sequenced = assignSequenceNumbers(commit.events, head)
        head = sequenced.head
        onCommit(commit, sequenced.events)
        // Do not store events, because no job reads them and they would take most of the memory.
        return { ...commit, events: [] }
      })
      return { result, events: [] }
    },
  }
}
