import { CUSTOMER_SCENES } from '../../pages/scenes.ts'
import { testPages } from './page-matrix.ts'

testPages('de', { tags: ['de'], scenes: CUSTOMER_SCENES })
