import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseBrand } from '../../../src/cli/serve/brand-flags.ts'
import { encodeLogoUrl } from '../../../src/domain/branding/logos/logo.ts'
import { RED_PNG } from '../../domain/branding/logos/png-images.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/brand-flags')

test('returns no name, color and logo without flags', () => assert.equal(parseBrand({}), { name: null }))

test('parses name, color and logo', () => {
  const logo = join(newFolder(), 'logo.png')
  writeFileSync(logo, RED_PNG)
  assert.equal(parseBrand({ 'business-name': ' Northwind ', 'brand-color': '#7A3B1D', logo }), {
    name: 'Northwind',
    color: '#7a3b1d',
    logo: encodeLogoUrl({ type: 'png', bytes: RED_PNG }),
  })
})

test('rejects a color that is not six hexadecimal digits, with an example', () => {
  for (const given of ['', 'red', '#fff', '7a3b1d', '#7a3b1d80', '#7a3b1g', 'rgb(1,2,3)', '#7a3b1d;}']) {
    const { message, param, hint } = usageErrorFrom(() => parseBrand({ 'brand-color': given }))
    assert.is(param, 'brand-color')
    assert.is(message, `Invalid --brand-color '${given}': expected a color.`)
    assert.match(hint ?? '', "such as '#7a3b1d'")
  }
})

test.run()
