import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { createGuideResponse, readGuides } from '../../../src/pages/reference/guides.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('pages/reference/guides')

const GUIDES = readGuides()

test('contains every guide and the reference of the commands', () => {
  const files = globSync('.github/guides/*.md', { cwd: ROOT }).map((file) => basename(file, '.md'))
  assert.equal(
    GUIDES.map(({ name }) => name),
    [...files.sort(), 'commands'],
  )
})

test('shows a guide with its tables and code, and loads no images', () => {
  const cards = GUIDES.find(({ name }) => name === 'test-cards')
  assert.ok(cards)
  const { body } = createGuideResponse(cards)
  assert.match(body, '<title>Test cards · paycli</title>')
  assert.match(body, '<td><code>insufficient_funds</code></td>')
  const all = GUIDES.map(({ html }) => html).join('')
  assert.match(all, '<pre><code class="language-sh">')
  assert.not.match(all, '<img')
})

test.run()
