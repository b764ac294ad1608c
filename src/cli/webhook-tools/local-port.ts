import type { Server } from 'node:net'

/** Lets a server listen on a free port that only this machine reaches, and resolves with the port. */
export async function listenLocally(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no address')
  return address.port
}
