import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getBrandingParams } from '../../../src/cli/sessions/branding-flags.ts'
import { svg } from '../../domain/branding/logos/hostile-svgs.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/branding-flags')

test('returns no parameters without flags, so that the branding in a file applies', () => {
  assert.equal(getBrandingParams({}, {}), {})
  assert.equal(getBrandingParams({}, { branding: { business_name: 'File' } }), {})
})

test('reads the logo from a file, and merges the flags with the branding in a file', () => {
  const logo = join(newFolder(), 'logo.svg')
  writeFileSync(logo, svg(''))
  const file = { branding: { business_name: 'File', brand_color: '#000000' } }
  assert.equal(getBrandingParams({ 'brand-color': '#7a3b1d', logo }, file), {
    branding: {
      business_name: 'File',
      brand_color: '#7a3b1d',
      logo: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"/>')}`,
    },
  })
})

test.run()
