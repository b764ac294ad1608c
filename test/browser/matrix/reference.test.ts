import { REFERENCE_SCENES } from '../../pages/reference-scenes.ts'
import { testPages } from './page-matrix.ts'

testPages('reference', ['en'], REFERENCE_SCENES)
