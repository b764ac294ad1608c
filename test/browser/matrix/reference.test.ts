import { REFERENCE_SCENES } from '../../pages/reference-scenes.ts'
import { testPages } from './page-matrix.ts'

// The reference has few pages in one language, so all views take little time.
testPages('reference', { tags: ['en'], scenes: REFERENCE_SCENES, isFull: true })
