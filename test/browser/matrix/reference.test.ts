import { REFERENCE_SCENES } from '../../pages/reference-scenes.ts'
import { testPages } from './page-matrix.ts'

// Few pages in one language: all views take little time.
testPages('reference', { tags: ['en'], scenes: REFERENCE_SCENES, isFull: true })
