import { CUSTOMER_SCENES } from '../../pages/scenes.ts'
import { testPages } from './page-matrix.ts'

/** The pages with the most text. */
const LONGEST = ['subscription', 'invalid-fields', 'card']

testPages('other-languages', {
  tags: ['fr', 'es', 'pt'],
  scenes: CUSTOMER_SCENES.filter(([name]) => LONGEST.includes(name)),
})
