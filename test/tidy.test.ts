import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { arrows, cycles } from './support/house/arrows.ts'
import { ARROW_CANARIES, DOOR_CANARIES } from './support/house/canaries-imports.ts'
import { TREE_CANARIES } from './support/house/canaries-tree.ts'
import { WORD_CANARIES } from './support/house/canaries-words.ts'
import { doors } from './support/house/doors.ts'
import { currentManifest, manifestProblems, orphans } from './support/house/manifest.ts'
import { pathsIn, readHouse, readIfThere } from './support/house/read.ts'
import { referenceProblems } from './support/house/reference.ts'
import {
  documentPaths,
  lockEngines,
  lockGaps,
  lockHosts,
  lockIntegrity,
  mirrors,
  missingProofs,
  pins,
  topLevel,
} from './support/house/tree.ts'
import { commentShare, names, promises, sentences, sizes, suites } from './support/house/words.ts'
import { ROOT } from './support/root.ts'
import { assert, suite } from './support/suite.ts'

const DOCUMENTS = ['README.md', '.github/ARCHITECTURE.md', '.github/CONTRIBUTING.md', '.github/SECURITY.md']

function none(problems: string[]): void {
  if (problems.length === 0) return
  const error = new Error(`${problems.length} found:\n    ${problems.join('\n    ')}`)
  // The stack would only repeat the list.
  error.stack = ''
  throw error
}

const canaries = suite('canaries')

for (const { rule, finds, says } of [
  ...ARROW_CANARIES,
  ...DOOR_CANARIES,
  ...WORD_CANARIES,
  ...TREE_CANARIES,
]) {
  canaries(rule, () => {
    const list = finds.join('\n')
    assert.is(finds.length, says.length, `found ${finds.length}, wanted ${says.length}:\n${list}`)
    for (const [index, pattern] of says.entries()) assert.match(finds[index] ?? '', pattern, list)
  })
}

canaries.run()

const house = suite('house')
const files = readHouse(ROOT)

house('there is a house', () => assert.ok(files.length > 20, `${files.length} files found in ${ROOT}`))
house('arrows follow the table', () => none(arrows(files)))
house('neither rooms nor files import in a circle', () => none(cycles(files)))
house('every power has one door', () => none(doors(files)))
house('files are short', () => none(sizes(files)))
house('names say something', () => none(names(files)))
house('comments are 4 to 12 % of the lines', () => none(commentShare(files)))
house('nothing is put off', () => none(promises(files)))
house('exports carry a sentence', () => none(sentences(files)))
house('suites run', () => none(suites(files)))
house('tests mirror sources', () => none(mirrors(files)))

house('the top level is fixed', () => {
  const ignored = (readIfThere(ROOT, '.gitignore') ?? '').split('\n').filter((line) => line !== '')
  none(topLevel(readdirSync(ROOT), ignored))
})

house('documents name what is there', () => {
  const documents = DOCUMENTS.map((path) => ({ path, text: readIfThere(ROOT, path) ?? '' }))
  none(documents.filter(({ text }) => text === '').map(({ path }) => `${path} is missing`))
  none(documentPaths(documents, (path) => existsSync(join(ROOT, path))))
})

house('every rule of security is proved by a test that is there', () => {
  const table = readIfThere(ROOT, '.github/SECURITY.md') ?? ''
  assert.is(table.match(/^\| \d+ \|/gm)?.length, 20)
  none(missingProofs(table, (path) => readIfThere(ROOT, path)))
})

house('versions are exact', () => none(pins(readIfThere(ROOT, 'package.json') ?? '{}')))

house('the lock is complete, has integrity values and names no host', () => {
  const lock = readIfThere(ROOT, 'package-lock.json') ?? '{"packages":{}}'
  none([...lockHosts(lock), ...lockGaps(lock), ...lockIntegrity(lock), ...lockEngines(lock)])
})

house('what is compiled has a source', () => {
  const compiled = ['src', 'commands'].flatMap((folder) => pathsIn(join(ROOT, 'dist'), folder, ['.js']))
  none(
    orphans(
      compiled,
      files.map(({ path }) => path),
    ),
  )
})

house('the manifest is fresh', async () => {
  none(manifestProblems(readIfThere(ROOT, 'oclif.manifest.json'), await currentManifest(ROOT)))
})

house('the reference of the commands is fresh', () => {
  const manifest = readIfThere(ROOT, 'oclif.manifest.json') ?? ''
  none(referenceProblems(manifest, readIfThere(ROOT, '.github/COMMANDS.md')))
})

house.run()
