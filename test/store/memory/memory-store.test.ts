import { createMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { storeConformance } from '../port/conformance.ts'

const PROPERTY_RUNS = 150

storeConformance(
  'store/memory',
  async () => {
    const store = createMemoryStore()
    return { store, reopen: async () => store, dispose: () => store.close() }
  },
  { runs: PROPERTY_RUNS },
)
