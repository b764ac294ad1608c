import { CUSTOMER_SCENES } from '../../pages/scenes.ts'
import { testPages } from './page-matrix.ts'

testPages('other-languages', { tags: ['en', 'ja', 'fr', 'es', 'pt'], scenes: CUSTOMER_SCENES })
