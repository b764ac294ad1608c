import { createHash } from 'node:crypto'
import { ERROR_DEFINITIONS } from '../../../src/api/schema/errors.ts'
import { createGuideResponse, readGuides } from '../../../src/pages/reference/guides.ts'
import type { ReferenceResponse } from '../../../src/pages/reference/reference-layout.ts'
import {
  createErrorReferenceResponse,
  createReferenceHomeResponse,
  createWelcomeResponse,
} from '../../../src/pages/reference/reference-pages.ts'
import { createResourcePageResponse, listResources } from '../../../src/pages/reference/resource-pages.ts'
import { DOCUMENT } from '../../support/contract.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('pages/reference/reference-pages')

const RESOURCES = listResources(DOCUMENT)

function sha256(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** Returns the policy of a reference page without script. */
function plainPolicy({ body }: ReferenceResponse): string {
  const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] ?? ''
  return `default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; img-src data:; style-src ${sha256(style)}`
}

test('the error reference has an anchor for every error code', () => {
  const { body } = createErrorReferenceResponse()
  for (const code of Object.keys(ERROR_DEFINITIONS)) assert.match(body, `id="${code}"`)
})

test('the first page links every operation and event with method, path and a title without a period', () => {
  const { body } = createReferenceHomeResponse(DOCUMENT, RESOURCES, [])
  assert.match(body, '<title>paycli documentation</title>')
  assert.match(body, '<link rel="icon"')
  assert.match(
    body,
    '<a href="/docs/api/refunds#refunds.create">Refunds a succeeded payment, in part or in full <code><b>POST</b> /v1/refunds</code></a>',
  )
  const links = [...body.matchAll(/<li><a href="\/docs\/api\/[\w-]+#([\w.]+)">(.*?)<\/a>/g)]
  const methods = [...Object.values(DOCUMENT.paths), ...Object.values(DOCUMENT.webhooks)]
  assert.is(links.length, methods.flatMap((one) => Object.keys(one)).length)
  assert.equal(
    links.filter(([, , text]) => / <code>|\.$/.test(text ?? '') && /\. <code>|\.$/.test(text ?? '')),
    [],
  )
})

test('every link of every page leads to an existing page and a unique section of that page', () => {
  const guides = readGuides()
  const pages = new Map([
    ['/docs', createReferenceHomeResponse(DOCUMENT, RESOURCES, guides)],
    ['/docs/errors', createErrorReferenceResponse()],
    ['/', createWelcomeResponse(DOCUMENT.info)],
    ...RESOURCES.map((one) => [`/docs/api/${one.name}`, createResourcePageResponse(one, DOCUMENT)] as const),
    ...guides.map((one) => [`/docs/guides/${one.name}`, createGuideResponse(one)] as const),
  ])
  const anchors = new Map(
    [...pages].map(([path, { body }]) => [path, [...body.matchAll(/ id="(.*?)"/g)].map(([, id]) => id)]),
  )
  for (const path of ['/openapi.json', '/llms.txt', '/healthz']) anchors.set(path, [])
  const links = [...pages].flatMap(([path, { body }]) =>
    [...body.matchAll(/<a (?:class="brand" )?href="(?!https:)(.*?)(?:#(.*?))?"/g)].map(
      ([, target, anchor]) => ({ path, target: target || path, anchor }),
    ),
  )
  assert.ok(links.length > 700)
  const isBroken = ({ target, anchor }: (typeof links)[number]) =>
    anchor === undefined
      ? !anchors.has(target)
      : anchors.get(target)?.filter((id) => id === anchor).length !== 1
  assert.equal(links.filter(isBroken), [])
})

test('the first page lists the guides and escapes their titles', () => {
  const guides = [{ name: 'test-cards', title: 'Cards <b>', html: '' }]
  assert.match(
    createReferenceHomeResponse(DOCUMENT, [], guides).body,
    '<li><a href="/docs/guides/test-cards">Cards &lt;b&gt;</a></li>',
  )
})

test('the Content-Security-Policy of pages without script allows only the style of the page', () => {
  for (const page of [createErrorReferenceResponse(), createReferenceHomeResponse(DOCUMENT, RESOURCES, [])])
    assert.is(page.headers['Content-Security-Policy'], plainPolicy(page))
})

test.run()
