import { storeConformance } from '../port/conformance.ts'
import { openInFolder, openToCrash } from './lowdb-folder.ts'

const PROPERTY_RUNS = 10

storeConformance(
  'store/lowdb that makes a checkpoint whenever it can',
  () => openInFolder({ minJournalBytes: 0 }),
  { runs: PROPERTY_RUNS },
)

storeConformance('store/lowdb that crashes amid checkpoints', () => openToCrash({ minJournalBytes: 0 }), {
  runs: PROPERTY_RUNS,
})
