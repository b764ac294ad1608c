import { CUSTOMER_SCENES } from '../../pages/scenes.ts'
import { testPages } from './page-matrix.ts'

testPages('ja', { tags: ['ja'], scenes: CUSTOMER_SCENES })
