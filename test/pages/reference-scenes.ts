import { createOpenApiDocument } from '../../src/api/openapi/openapi.ts'
import { renderErrorReference, renderWelcome } from '../../src/pages/reference/reference-pages.ts'
import type { PageScene } from './scenes.ts'

const document = () => createOpenApiDocument({ apiUrl: 'http://127.0.0.1:4100', version: '0.0.0' })

/** The pages of the API server. */
export const REFERENCE_SCENES: readonly PageScene[] = [
  ['errors', async () => ({ status: 200, ...renderErrorReference() })],
  ['welcome', async () => ({ status: 200, ...renderWelcome(document().info) })],
]
