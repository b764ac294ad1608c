import { CUSTOMER_SCENES } from '../../pages/scenes.ts'
import { testPages } from './page-matrix.ts'

testPages('ar', { tags: ['ar'], scenes: CUSTOMER_SCENES })
