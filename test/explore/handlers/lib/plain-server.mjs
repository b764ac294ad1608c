import { createServer } from 'node:http'

/** Serves routes such as `'POST /buy': (body, headers) => response` with Node.js alone; an error is a 500. */
export function servePlain(routes) {
  const server = createServer(async (request, response) => {
    try {
      const chunks = await Array.fromAsync(request)
      const route = routes[`${request.method} ${request.url}`]
      const result = await route(Buffer.concat(chunks).toString(), request.headers)
      response.writeHead(result.status ?? 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(result.body ?? {}))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  server.listen(process.env.PORT, '127.0.0.1')
}
