import { CUSTOMER_SCENES } from '../../pages/scenes.ts'
import { testPages } from './page-matrix.ts'

testPages('en', { tags: ['en'], scenes: CUSTOMER_SCENES })
