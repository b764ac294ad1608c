import { createMemoryDatabase } from '../../../src/store/memory/memory-sandboxes.ts'
import { waitForNextTurn } from '../fixture.ts'
import { databaseConformance } from '../port/database-conformance.ts'

const scheduling = { yieldToEventLoop: waitForNextTurn, monotonicMs: () => performance.now() }

databaseConformance('store/memory sandboxes', {
  storages: ['memory'],
  open: async () => {
    let database = createMemoryDatabase(scheduling)
    return {
      database,
      async reopen() {
        await database.close()
        database = createMemoryDatabase(scheduling)
        return database
      },
      dispose: () => database.close(),
    }
  },
})
