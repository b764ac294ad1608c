import { REFERENCE_SCENES } from '../../pages/scenes.ts'
import { testPages } from './page-matrix.ts'

testPages('reference', ['en'], REFERENCE_SCENES)
