import { POPULATION_PRESETS, parsePopulation } from '../../../src/cli/simulate/population.ts'
import { codeBlocks } from '../../guides/code-blocks.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/simulate/population')

test('accepts every preset and the population in the guide', () => {
  const examples = codeBlocks('.github/guides/simulate.md').filter(({ language }) => language === 'json')
  assert.is(examples.length, 1)
  for (const value of [...Object.values(POPULATION_PRESETS), ...examples.map(({ code }) => JSON.parse(code))])
    assert.equal(parsePopulation('shop.json', value), value)
})

test.run()
