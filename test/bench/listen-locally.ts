import type { Server } from 'node:http'

/** Resolves with the port of this machine on which a server or an app now listens; 0 selects a free port. */
export function listenLocally(server: Pick<Server, 'listen'>, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const listening: Server = server.listen(port, '127.0.0.1', () => {
      const address = listening.address()
      if (address === null || typeof address === 'string') reject(new Error('the server has no port'))
      else resolve(address.port)
    })
    listening.once('error', reject)
  })
}
