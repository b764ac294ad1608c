/** The global of Scalar's API reference, which the build puts before this script. */
declare const Scalar: {
  readonly createApiReference: (selector: string, configuration: object) => void
}

/** Languages and libraries without examples. Those that remain are curl, JavaScript with `fetch` and Python with `requests`. */
const HIDDEN_CLIENTS = [
  ...['c', 'clojure', 'csharp', 'dart', 'fsharp', 'go', 'http', 'java', 'julia', 'kotlin', 'node', 'objc'],
  ...['ocaml', 'php', 'powershell', 'r', 'ruby', 'rust', 'swift', 'shell/wget', 'shell/httpie'],
  ...['js/axios', 'js/jquery', 'js/ofetch', 'js/xhr'],
  ...['python/aiohttp', 'python/httpx_async', 'python/httpx_sync', 'python/python3'],
]

Scalar.createApiReference('#reference', {
  url: '/docs/openapi.json',
  // "Test request" works at the address of this page only, because the content security policy blocks other origins.
  servers: [{ url: location.origin }],
  hiddenClients: HIDDEN_CLIENTS,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'none',
  hideClientButton: true,
  showDeveloperTools: 'never',
  // Everything below would load something from the internet.
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
})
