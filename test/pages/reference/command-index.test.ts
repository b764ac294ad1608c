import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatCommandIndex } from '../../../src/pages/reference/command-index.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('pages/reference/command-index')

const MAX_BYTES = 12_000

test('lists every command with its summary and up to three examples per topic, in at most 12 kB', () => {
  const index = formatCommandIndex()
  assert.ok(Buffer.byteLength(index) <= MAX_BYTES, String(Buffer.byteLength(index)))
  const { commands } = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8'))
  const shown = Object.values(commands as Readonly<Record<string, { id: string; hidden?: boolean }>>).filter(
    ({ hidden }) => hidden !== true,
  )
  const topics = index.split('\n## paycli').slice(1)
  const listed = topics.flatMap((section) => {
    const [topic = ''] = section.split('\n')
    const examples = section.match(/^ {4}\S/gm) ?? []
    assert.ok(examples.length >= 1 && examples.length <= 3, section)
    assert.equal(
      (section.match(/^ {4}.*$/gm) ?? []).filter((line) => !line.includes(`paycli${topic} `)),
      [],
    )
    return [...section.matchAll(/^- (.*?): /gm)].map(([, words]) => `${topic} ${words}`.trim())
  })
  assert.equal(listed.sort(), shown.map(({ id }) => id.replaceAll(':', ' ')).sort())
  assert.match(index, '- create: Create a customer\n')
})

test.run()
