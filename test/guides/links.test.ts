import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'
import { GUIDES, readDocument } from './code-blocks.ts'

const test = suite('guides: links')

const MAX_README_LINES = 150

/** Returns the anchors that GitHub makes of the headings of a document. */
function anchors(document: string): string[] {
  const text = readDocument(document).replace(/^```.*?^```$/gms, '')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

function linkProblem(document: string, link: string): string | null {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? document : posix.join(posix.dirname(document), path)
  if (!existsSync(join(ROOT, target))) return `${document} links to ${target}, which does not exist`
  const isKnown = anchor === undefined || anchors(target).includes(anchor)
  return isKnown ? null : `${document} links to ${target}#${anchor}, which has no such heading`
}

for (const document of GUIDES) {
  test(`${document} links to existing files and headings`, () => {
    const links = readDocument(document).matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)
    const local = [...links]
      .map(([, link, image]) => link ?? image ?? '')
      .filter((link) => !/^https?:/.test(link))
    assert.equal(
      local.map((link) => linkProblem(document, link)).filter((problem) => problem !== null),
      [],
    )
  })
}

test('README links to every guide', () => {
  const readme = readDocument('README.md')
  const missing = GUIDES.filter((guide) => guide !== 'README.md' && !readme.includes(`(${guide})`))
  assert.equal(missing, [])
})

test(`README has at most ${MAX_README_LINES} lines`, () =>
  assert.ok(readDocument('README.md').split('\n').length <= MAX_README_LINES + 1))

test.run()
