import { storeConformance } from '../port/conformance.ts'
import { openCrashing, openInFolder } from './lowdb-folder.ts'

const PROPERTY_RUNS = 10

storeConformance('store/lowdb with permanent checkpoints', () => openInFolder({ minJournalBytes: 0 }), {
  runs: PROPERTY_RUNS,
})

storeConformance('store/lowdb with crashes during checkpoints', () => openCrashing({ minJournalBytes: 0 }), {
  runs: PROPERTY_RUNS,
})
