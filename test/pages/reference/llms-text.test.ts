import { findCommand } from '../../../src/cli/launch/launch.ts'
import { readManifest } from '../../../src/cli/output/manifest.ts'
import { createLlmsTextResponse } from '../../../src/pages/reference/llms-text.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('pages/llms-text')

test('links the documents of the server and names only existing commands and flags', () => {
  const { headers, body } = createLlmsTextResponse('A service.', 'http://127.0.0.1:4100')
  assert.is(headers['Content-Type'], 'text/plain; charset=utf-8')
  for (const path of ['/openapi.json', '/docs', '/docs/commands.txt', '/docs/errors'])
    assert.match(body, `(http://127.0.0.1:4100${path})`)
  const known = Object.values(readManifest(ROOT).commands)
  const lookUp = (id: string) => known.find((one) => one.id === id || one.aliases.includes(id)) ?? null
  const lines = [...body.matchAll(/paycli (?!help)([a-z][^\n`)]*)/g)].map(([, line = '']) => line.split(' '))
  const commands = lines.filter(([word]) => word !== undefined && !['is', 'on'].includes(word))
  assert.ok(commands.length >= 12)
  for (const words of commands) {
    const found = findCommand(lookUp, words)
    assert.ok(found, words.join(' '))
    const flags = words
      .filter((word) => word.startsWith('--') && word.length > 2)
      .map((word) => word.slice(2))
    for (const flag of flags) assert.ok(flag in found.command.flags, `${words.join(' ')}: ${flag}`)
  }
})

test.run()
