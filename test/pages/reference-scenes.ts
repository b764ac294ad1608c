import { createOpenApiDocument } from '../../src/api/openapi/openapi.ts'
import { createGuideResponse, readGuides } from '../../src/pages/reference/guides.ts'
import type { ReferenceResponse } from '../../src/pages/reference/reference-layout.ts'
import {
  createErrorReferenceResponse,
  createReferenceHomeResponse,
  createWelcomeResponse,
} from '../../src/pages/reference/reference-pages.ts'
import { createReferenceSearch } from '../../src/pages/reference/reference-search.ts'
import { createResourcePageResponse, listResources } from '../../src/pages/reference/resource-pages.ts'
import type { PageScene } from './scenes.ts'

const document = () => createOpenApiDocument({ apiUrl: 'http://127.0.0.1:4100', version: '0.0.0' })

async function renderDocs(name: 'index' | 'resource' | 'guide' | 'search'): Promise<ReferenceResponse> {
  const resources = listResources(document())
  const guides = readGuides()
  const [resource] = resources
  const guide = guides.find((one) => one.name === 'test-clocks')
  if (name === 'resource' && resource) return createResourcePageResponse(resource, document())
  if (name === 'guide' && guide) return createGuideResponse(guide)
  if (name === 'search') return (await createReferenceSearch(document(), resources, guides))('refund')
  return createReferenceHomeResponse(document(), resources, guides)
}

/** The pages of the API server. */
export const REFERENCE_SCENES: readonly PageScene[] = [
  ['errors', async () => ({ status: 200, ...createErrorReferenceResponse() })],
  ['welcome', async () => ({ status: 200, ...createWelcomeResponse(document().info) })],
  ['docs', async () => ({ status: 200, ...(await renderDocs('index')) })],
  ['docs-resource', async () => ({ status: 200, ...(await renderDocs('resource')) })],
  ['docs-guide', async () => ({ status: 200, ...(await renderDocs('guide')) })],
  ['docs-search', async () => ({ status: 200, ...(await renderDocs('search')) })],
]
